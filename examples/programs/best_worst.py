"""Answer best–worst questions about sentence pairs: choose the pairs with the most and with the fewest common words.

accord annotate STUDY --command "python examples/programs/best_worst.py" --name "common words"
"""

import json
import sys


def common_words(pair):
    """Return the share of words that occur in both sentences of a pair."""
    first, second = (set(sentence.lower().split()) for sentence in pair["sentences"])
    return len(first & second) / len(first | second)


# Accord writes one question per line and waits for one answer per line.
for line in sys.stdin:
    pairs = json.loads(line)["question"]["items"]
    positions = sorted(range(1, len(pairs) + 1), key=lambda position: common_words(pairs[position - 1]))
    # `flush=True` sends each answer immediately. Otherwise, Accord would wait for the answer in vain.
    print(json.dumps({"best": positions[-1], "worst": positions[0]}), flush=True)
