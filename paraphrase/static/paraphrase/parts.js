// The votes of several answers, for a reviewer who decides between them.

export function parts({ content, strings }, values) {
  return content.candidates.map((label, index) => ({
    at: String(index),
    label,
    readings: values.map(({ votes }) => ({
      at: String(index),
      part: { index, vote: votes[index] },
      words: strings[votes[index] ? "yes" : "no"],
    })),
  }));
}

export function withPart(_, { votes }, { index, vote }) {
  return { votes: votes.map((before, at) => (at === index ? vote : before)) };
}
