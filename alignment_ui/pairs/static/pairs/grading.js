// How well links meet the expected ones, as the server grades them: `link_f1` and the links that it leaves aside.

// Crossed precision and recall (Och and Ney 2003): of all links given, the share among the expected; of the expected
// that are sure, the share among those given. A ratio of nothing to nothing is 1.
export function linkF1(given, expected) {
  const pairs = Object.keys(given);
  const sure = Object.keys(expected).filter((pair) => expected[pair].kind === "sure");
  const precision = pairs.length ? pairs.filter((pair) => expected[pair]).length / pairs.length : 1;
  const recall = sure.length ? sure.filter((pair) => given[pair]).length / sure.length : 1;
  return precision + recall ? (2 * precision * recall) / (precision + recall) : 0;
}

// Both without the links between the same words, unless nothing else is expected.
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
