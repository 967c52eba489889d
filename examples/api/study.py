"""Run a study of one task type through the API, from the files to a release, with simulated annotators.

    ACCORD=https://accord.example.org TOKEN=… python3 study.py bws

The task type is bws, words, chunks or paraphrase. docs/api.md shows the same steps with curl.
"""

import json
import os
import sys
import time
from urllib.request import Request, urlopen

API = f"{os.environ['ACCORD']}/api/v1"
RESEARCHER = f"Token {os.environ['TOKEN']}"


def call(method, path, body=None, authorization=RESEARCHER):
    url = path if path.startswith("http") else f"{API}/{path}"
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": authorization, "Content-Type": "application/json"}
    with urlopen(Request(url, data, headers, method=method), timeout=60) as response:
        content = response.read()
        return json.loads(content) if response.headers.get_content_type() == "application/json" else content


def finish(study, job):
    while job["state"] in ("waiting", "running"):
        time.sleep(0.5)
        job = call("GET", f"{study}/jobs/{job['id']}")
    if job["state"] == "failed":
        raise RuntimeError(job["error"])


def import_file(study, purpose, filename, content):
    upload = {"purpose": purpose, "filename": filename, "content": content}
    preview = call("POST", f"{study}/uploads", upload)
    if not preview["importable"]:
        raise ValueError(preview["faults"])
    call("POST", f"{study}/uploads/{preview['id']}/import")


FILES = {
    "bws": {
        "items.csv": "id,text\n" + "".join(f"w{n},word {n}\n" for n in range(1, 9)),
        "gold.csv": "id,item1,item2,item3,item4,best,worst,explanation\ng1,w1,w2,w3,w4,w1,w4,Word 1 is the first.\n",
    },
    "words": {
        "items.csv": "id,source,target\ns1,A dog sleeps .,A puppy is asleep .\ns2,It rains .,The rain falls .\n",
        "gold.csv": "id,source,target,gold,explanation\ng1,He left .,She left .,0-0 1-1 2-2,The verbs are the same.\n",
    },
    "chunks": {
        "items.csv": "id,source,target\nc1,[ A dog ] [ sleeps ] [ . ],[ A puppy ] [ is asleep ] [ . ]\n",
        "gold.csv": "id,source,target,links,explanation\n"
        "g1,[ He ] [ left ],[ She ] [ left ],1 <==> 1 // SIMI // 3;;2 <==> 2 // EQUI // 5,The verbs are the same.\n",
    },
    "paraphrase": {
        "items.csv": "id,domain,sentence,phrase,start,paraphrases\n"
        "i1,news,The plant was closed.,plant,4,factory|works|shrub\n",
        "gold.csv": "id,sentence,phrase,start,synonyms,random_words,explanation\n"
        "g1,The children were glad.,glad,18,happy|pleased|joyful,narrow|wooden|hourly,Glad means happy.\n",
    },
}


def whole_study(task_type):
    settings = {"title": f"Example of {task_type}", "task_type": task_type, "judgements": 2, "gold_block": 2}
    created = call("POST", "studies", settings)
    study = f"studies/{created['id']}"
    for filename, content in FILES[task_type].items():
        import_file(study, filename.removesuffix(".csv"), filename, content)
    finish(study, call("POST", f"{study}/design"))
    call("PUT", f"{study}/state", {"state": "open"})
    finish(study, call("POST", f"{study}/simulations", {"annotators": 3}))
    finish(study, call("POST", f"{study}/reports", {}))
    release = call("POST", f"{study}/releases", {"version": "1.0", "creators": "Ada Lovelace"})
    with open(f"{task_type}.zip", "wb") as file:
        file.write(release)
    return study


if __name__ == "__main__":
    print(whole_study(sys.argv[1]))
