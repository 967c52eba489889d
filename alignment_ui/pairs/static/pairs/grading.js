// The F1 of links, compared with the expected links, calculated as on the server (`link_f1`), and the links that the F1
// ignores.

// Crossed precision and recall (Och and Ney 2003): the share of the given links that are expected, and the share of the
// sure expected links that are given. A ratio of 0 to 0 counts as 1.
export function linkF1(given, expected) {
  const pairs = Object.keys(given);
  const sure = Object.keys(expected).filter((pair) => expected[pair].kind === "sure");
  const precision = pairs.length ? pairs.filter((pair) => expected[pair]).length / pairs.length : 1;
  const recall = sure.length ? sure.filter((pair) => given[pair]).length / sure.length : 1;
  return precision + recall ? (2 * precision * recall) / (precision + recall) : 0;
}

// Links between identical words are excluded from both, unless no other links are expected.
export function comparable(given, expected, texts) {
  const [firsts, seconds] = texts.map((tokens) => tokens.map((token) => token.toLowerCase()));
  const without = (links) =>
    Object.fromEntries(
      Object.entries(links).filter(([pair]) => {
        const [i, j] = pair.split("-").map(Number);
        return firsts[i] !== seconds[j];
      }),
    );
  const rest = without(expected);
  return Object.keys(rest).length ? [without(given), rest] : [given, expected];
}
