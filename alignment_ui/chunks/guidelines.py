"""The default guidelines and worked examples for a new chunk alignment study. Researchers can edit both."""

GUIDELINES = """\
You see two sentences. Link the matching **chunks** of the two sentences. For each link, choose **how** the chunks match
and **how closely**.

A chunk is a short group of words that belong together: *an old man*, *is sitting*, *on the grass*. A full stop or a
comma is a chunk of its own. If the sentences have not been divided into chunks yet, do this first: drag over the words
of each chunk.

1. **Link** matching chunks. Start with the clearest matches. Consider what the chunks mean in these two sentences, not
what they mean on their own.
2. Choose a **type** for each link:
   - **EQUI**: the chunks have the same meaning here.
   - **OPPO**: the chunks have opposite meanings, such as *rises* and *falls*.
   - **SPE1**: the meanings are similar, but the first chunk is more specific, such as *a red car* and *a car*.
   - **SPE2**: the meanings are similar, but the second chunk is more specific.
   - **SIMI**: the meanings are similar, and none of the types above applies, such as *12 people* and *15 people*.
   - **REL**: the meanings are related but not similar, such as *a nurse* and *the hospital*.
3. Choose a **score** from 1 to 5. EQUI always has a score of 5, and no other type can have this score. A score of 4
means that the
chunks are very close in meaning.
   A score of 3 means that the chunks differ in an important detail. Scores of 1 and 2 mean that the chunks are only
   slightly similar. If the score would be 0, do not link the chunks.
4. Mark a chunk without a match as **NOALI**. If each chunk can have only one link, mark a chunk as **ALIC** when its
   match is already linked to another chunk. Punctuation at the end of a sentence needs neither a link nor a mark.

Add **FACT** if one chunk states a fact and the other only a claim. Add **POL** if one chunk is in favour of something
and the other is against it.
"""

WORKED_EXAMPLES = """\
> [ Two boys ] [ are kicking ] [ a ball ] [ in the park ] [ . ]
>
> [ Children ] [ play ] [ football ] [ . ]

- *Two boys* – *Children*: SPE1, 4. Boys are children, and the first chunk also says how many boys there are.
- *are kicking* – *play*: SPE1, 3. Kicking a ball is one way to play.
- *a ball* – *football*: REL, 3. A ball is related to the game.
- *.*: Punctuation at the end of a sentence needs no link.
- *in the park*: NOALI. The second sentence does not mention a place.

> [ The minister ] [ denies ] [ the report ]
>
> [ The minister ] [ confirms ] [ the report ]

- *denies* – *confirms*: OPPO, 4. The other links have the type EQUI and a score of 5.
"""
