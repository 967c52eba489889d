// The F1 of the alignment (Ali), calculated as in the official scorers of interpretable STS: each pair of tokens of two
// linked chunks is a link with the weight 1 / max(fan-out of either token), and punctuation does not count.

const PUNCTUATION = /^[.,:'`?;"-]$/;

export function f1OfLinks(value, expected, { source, target }) {
  const [ours, theirs] = [value, expected].map((each) => weights(each, source, target));
  const [precision, recall] = [share(ours, theirs), share(theirs, ours)];
  return precision + recall ? (2 * precision * recall) / (precision + recall) : 0;
}

function share(some, others) {
  const sum = (pairs) => pairs.reduce((total, pair) => total + some.get(pair), 0);
  const all = sum([...some.keys()]);
  return all ? sum([...some.keys()].filter((pair) => others.has(pair))) / all : 0;
}

function weights({ chunks, links }, source, target) {
  const pairs = links.flatMap((link) =>
    chunks.source[link.source].flatMap((i) => chunks.target[link.target].map((j) => [i, j])),
  );
  const words = pairs.filter(([i, j]) => !PUNCTUATION.test(source[i]) && !PUNCTUATION.test(target[j]));
  const once = [...new Map(words.map((pair) => [pair.join("-"), pair]))];
  const fan = (side, token) => once.filter(([, pair]) => pair[side] === token).length;
  return new Map(once.map(([key, [i, j]]) => [key, 1 / Math.max(fan(0, i), fan(1, j))]));
}
