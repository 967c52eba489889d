"""Answer word-alignment questions: link equal words, from left to right.

accord annotate STUDY --command "python examples/programs/words.py" --name "equal words"
"""

import json
import sys

for line in sys.stdin:
    question = json.loads(line)["question"]
    sure, free = [], list(range(len(question["target"])))
    for i, word in enumerate(question["source"]):
        for j in free:
            if word.lower() == question["target"][j].lower():
                sure.append([i, j])  # token numbers start at 0
                free.remove(j)
                break
    answer = {"sure": sure, "possible": []}
    if not sure:
        # An answer without links needs a log that ends with `confirm`.
        answer["log"] = [[0, "confirm", "button", []]]
    print(json.dumps(answer), flush=True)
