"""Pronounceable pseudonyms, which are drawn at random for each study."""

from __future__ import annotations

import secrets

_FIRST = (
    "amber ample azure brave breezy bright brisk bronze calm candid cedar chalk civil clear clever cobalt copper "
    "coral crisp dapper deft dune early eager earnest even fair fern fleet fond fresh gentle glad golden grand green "
    "hazel honest humble indigo ivory jade jolly keen kind late lilac lively loyal lucid lunar maple mellow merry "
    "mild mint modest neat nimble noble ocean olive opal open patient pearl placid plain plucky polar prime proud "
    "quick quiet rapid ready robust rosy royal rustic sage sandy scarlet serene silver slate small smooth sober solar "
    "sound spry stable steady stone subtle sunny swift tame teal tidy topaz tranquil true upbeat velvet vivid warm "
    "wide willing winter wise witty young zesty "
).split()
_SECOND = (
    "acorn alder anchor arbor aspen badger bay beacon beaver birch bison brook canyon cedar cliff clover comet condor "
    "coral crane creek cricket curlew cypress delta dolphin dune eagle egret elk elm ember falcon fern finch fjord "
    "forest fox garnet gecko glacier glade grove gull harbour hare harvest hawk hazel heath heron hill ibex ibis "
    "inlet island jay juniper kestrel kite lagoon lake lantern lark laurel lemur lily linden lion lotus lynx magpie "
    "maple marlin marten meadow meridian mesa moss newt oak ocelot orchard orchid osprey otter owl panda pebble "
    "pelican pine plover pond poplar prairie puffin quail quartz rapids raven reef ridge river robin rowan sable seal "
    "shore sparrow spruce summit swan tern thicket thistle thrush tiger trail trout tulip valley vole walnut warbler "
    "willow wren "
).split()


def draw_pseudonym(attempt: int = 0) -> str:
    """Return a two-word pseudonym, such as `quiet-heron`. From the fourth attempt onwards, the pseudonym also contains
    a number.
    """
    name = f"{secrets.choice(_FIRST)}-{secrets.choice(_SECOND)}"
    return name if attempt < 3 else f"{name}-{secrets.randbelow(10 ** (attempt - 1))}"
