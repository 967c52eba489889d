"""Answer paraphrase questions with a language model behind an HTTP endpoint.

The endpoint has the format of the OpenAI API, which many local model servers also have. Set these variables first:

    export MODEL_URL=http://127.0.0.1:8080/v1/chat/completions   # the address of your endpoint
    export MODEL=my-model                                        # the name of the model
    export MODEL_KEY=...                                         # the key, if your endpoint needs one
    accord annotate STUDY --command "python examples/programs/paraphrase.py" --name "my-model, prompt 1"

To change the model or the prompt, use another name, because Accord keeps the answers of each name.
"""

import json
import os
import sys
from urllib.request import Request, urlopen

PROMPT = """Sentence: {sentence}
Phrase: {phrase}

Which candidates can replace the phrase in this sentence without changing its meaning?
{candidates}

Answer with a JSON list of the numbers, such as [1, 3] or []."""


def ask_model(prompt):
    """Return the model's reply to a prompt."""
    body = {
        "model": os.environ["MODEL"],
        "temperature": 0,  # the same question gets the same answer
        "messages": [{"role": "user", "content": prompt}],
    }
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('MODEL_KEY', '')}"}
    request = Request(os.environ["MODEL_URL"], json.dumps(body).encode(), headers)
    with urlopen(request, timeout=60) as response:
        return json.load(response)["choices"][0]["message"]["content"]


for line in sys.stdin:
    question = json.loads(line)["question"]
    candidates = question["candidates"]
    reply = ask_model(
        PROMPT.format(
            sentence=question["before"] + question["phrase"] + question["after"],
            phrase=question["phrase"],
            candidates="\n".join(f"{number}. {text}" for number, text in enumerate(candidates, start=1)),
        )
    )
    # A reply that is not a list of numbers ends this program with an error, which Accord reports with the question.
    # If the study allows annotators to skip questions, you can print {"skip": "the reason"} instead.
    chosen = json.loads(reply)
    print(json.dumps({"votes": [number in chosen for number in range(1, len(candidates) + 1)]}), flush=True)
