"""Answer chunk-alignment questions: link chunks that share words, with a type and a score.

accord annotate STUDY --command "python examples/programs/chunks.py" --name "shared words"
"""

import json
import sys


def words_of(question, side):
    """Return the set of words in each chunk of a sentence."""
    return [{question[side][token].lower() for token in chunk} for chunk in question["chunks"][side]]


for line in sys.stdin:
    question = json.loads(line)["question"]
    if question["chunks"] is None:  # in this study, annotators divide the sentences into chunks themselves
        question["chunks"] = {side: [[n] for n in range(len(question[side]))] for side in ("source", "target")}
    source, target = words_of(question, "source"), words_of(question, "target")
    links = []
    linked = {"source": set(), "target": set()}
    for i, words in enumerate(source):
        for j, others in enumerate(target):
            if words & others and i not in linked["source"] and j not in linked["target"]:
                # EQUI needs the score 5, and the score 5 needs EQUI.
                relation, score = ("EQUI", 5) if words == others else ("SIMI", 3)
                links.append({"source": i, "target": j, "type": relation, "flags": [], "score": score})
                linked["source"].add(i)
                linked["target"].add(j)
    left = [
        {"side": side, "chunk": number, "type": "NOALI"}
        for side in ("source", "target")
        for number in range(len(question["chunks"][side]))
        if number not in linked[side]
    ]
    print(json.dumps({"chunks": question["chunks"], "links": links, "left": left}), flush=True)
