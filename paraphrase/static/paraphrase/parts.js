// The candidates on which two answers differ, for reviewers who take single votes of an annotator.

export function differences({ content, strings }, own, theirs) {
  return content.candidates
    .map((words, index) => ({ words, index, vote: theirs.votes[index] }))
    .filter(({ index, vote }) => vote !== null && vote !== (own?.votes[index] ?? null))
    .map(({ words, index, vote }) => ({
      part: { index, vote },
      at: String(index),
      words: `${words}: ${vote ? strings.yes : strings.no}`,
    }));
}
