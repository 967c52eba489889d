"""Functions that order the items in each tuple so that every item appears in each screen position equally often."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def balance_positions(tuples: NDArray[np.int64], n_items: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Reorder each row of `tuples` (T, k), so that an item's counts in different columns differ by at most one.

    The items of each row and the order of the rows do not change. The property also holds for every prefix of the rows,
    because each item is split into nodes of k consecutive appearances, and each node is in every column exactly once.

    Tuples and nodes form a bipartite graph of degree ≤ k, and an edge colouring with k colours (König 1916) determines
    the columns. Even degrees are halved by Euler splits, and odd degrees are reduced by a perfect matching.
    """
    n_tuples, size = tuples.shape
    nodes = _nodes_of_k_appearances(tuples, n_items)
    n_nodes = int(nodes.max()) + 1
    # Additional rows are connected to nodes with fewer appearances, so that all rows and all nodes have degree k.
    lacking = np.repeat(np.arange(n_nodes), size - np.bincount(nodes.ravel(), minlength=n_nodes))
    regular = np.concatenate([nodes.ravel(), lacking])
    columns = np.empty(len(regular), dtype=np.int64)
    edges = np.arange(len(regular)).reshape(-1, size)
    for column, chosen in enumerate(_perfect_matchings(regular, edges, rng)):
        columns[chosen] = column
    columns = rng.permutation(size)[columns[: n_tuples * size].reshape(n_tuples, size)]
    balanced = np.empty_like(tuples)
    np.put_along_axis(balanced, columns, tuples, axis=1)
    return balanced


def _nodes_of_k_appearances(tuples: NDArray[np.int64], n_items: int) -> NDArray[np.int64]:
    """Return each slot's node number. Each node represents up to k appearances of one item. The array has the shape (T,
    k).
    """
    flat = tuples.ravel()
    order = np.argsort(flat, kind="stable")
    counts = np.bincount(flat, minlength=n_items)
    blocks = -(-counts // tuples.shape[1])
    first_slot, first_node = np.cumsum(counts) - counts, np.cumsum(blocks) - blocks
    items = flat[order]
    nodes = np.empty_like(flat)
    nodes[order] = first_node[items] + (np.arange(len(flat)) - first_slot[items]) // tuples.shape[1]
    return nodes.reshape(tuples.shape)


def _perfect_matchings(
    nodes: NDArray[np.int64], edges: NDArray[np.int64], rng: np.random.Generator
) -> list[NDArray[np.int64]]:
    """Split a regular bipartite multigraph into perfect matchings.

    `edges` (rows, degree) contains the edge numbers of each row, and `nodes[edge]` is the other end of the edge. Each
    matching is an array of edge numbers, with one edge per row.
    """
    degree = edges.shape[1]
    if degree == 1:
        return [edges[:, 0]]
    if degree % 2:
        chosen = _one_matching(nodes[edges], rng)
        rest = np.arange(degree) != chosen[:, None]
        remaining = edges[rest].reshape(-1, degree - 1)
        return [edges[np.arange(len(edges)), chosen], *_perfect_matchings(nodes, remaining, rng)]
    one, other = _euler_split(nodes, edges)
    return _perfect_matchings(nodes, one, rng) + _perfect_matchings(nodes, other, rng)


def _euler_split(nodes: NDArray[np.int64], edges: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Split the edges into two halves, which halves the degree of each row and each node. The function pairs the edges
    at each end and follows the resulting cycles.

    A step to the partner in the row and then to the partner at the node moves by two edges along a cycle. All cycles
    are even, so each cycle consists of two such orbits. The smallest edge of an orbit identifies the orbit and is found
    by pointer doubling.
    """
    flat = edges.ravel()
    n_edges = len(flat)
    by_node = np.argsort(nodes[flat], kind="stable")
    at_node = np.empty(n_edges, dtype=np.int64)
    at_node[by_node[0::2]], at_node[by_node[1::2]] = by_node[1::2], by_node[0::2]
    in_row = np.arange(n_edges) ^ 1
    smallest, step = np.arange(n_edges), at_node[in_row]
    for _ in range(n_edges.bit_length()):
        smallest = np.minimum(smallest, smallest[step])
        step = step[step]
    first = (smallest < smallest[in_row]).reshape(edges.shape)
    half = edges.shape[1] // 2
    return edges[first].reshape(-1, half), edges[~first].reshape(-1, half)


def _one_matching(nodes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a perfect matching of a regular bipartite graph, given as the chosen column for each row of `nodes` (n,
    degree).

    Random walks from unmatched rows find augmenting paths in O(n log n) steps in total (Goel, Kapralov and Khanna
    2013). A walk goes to a random other node of the row, and then to the row that is matched with the node. Each row
    keeps its last choice, which removes loops.
    """
    n_rows, degree = nodes.shape
    ends = nodes.tolist()
    chosen, owner = [-1] * n_rows, [-1] * n_rows
    numbers = iter(())
    for start in range(n_rows):
        last_choice: dict[int, int] = {}
        row = start
        while row >= 0:
            column = next(numbers, -1)
            if column < 0:
                numbers = iter(rng.integers(0, degree, 65_536).tolist())
                column = next(numbers)
            if column == chosen[row]:
                continue
            last_choice[row] = column
            row = owner[ends[row][column]]
        row = start
        while row >= 0:
            column = last_choice[row]
            node = ends[row][column]
            chosen[row] = column
            row, owner[node] = owner[node], row
    return np.array(chosen, dtype=np.int64)
