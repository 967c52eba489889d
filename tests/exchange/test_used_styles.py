"""Tests of style sheets without the rules for classes that a page does not have."""

from accord_core.exchange.used_styles import used_styles

PAGE = '<div class="panel"><b class="good">1</b></div> node.classList.add("open")'


def test_rules_stay_if_one_selector_has_only_classes_of_the_page() -> None:
    css = "p{a:1}.panel{b:1}.panel .missing{c:1}.missing,.good{d:1}.open>.panel{e:1}.panel.missing{f:1}"
    assert used_styles(css, PAGE) == "p{a:1}.panel{b:1}.missing,.good{d:1}.open>.panel{e:1}"


def test_groups_stay_without_their_unused_rules_and_vanish_if_they_are_empty() -> None:
    css = "@media screen{.missing{a:1}.good{b:1}}@media (width>9px){.missing{c:1}}@keyframes turn{to{d:1}}"
    assert used_styles(css, PAGE) == "@media screen{.good{b:1}}@keyframes turn{to{d:1}}"


def test_rules_for_print_are_removed() -> None:
    assert used_styles("@media print{.good{a:1}}.good{b:1}@media print{.good{c:1}}", PAGE) == ".good{b:1}"


def test_classes_in_parentheses_do_not_remove_a_rule() -> None:
    css = ".panel:is(.missing,.good){a:1}.panel:not(:has(.missing)){b:1}.missing:is(.good){c:1}"
    assert used_styles(css, PAGE) == ".panel:is(.missing,.good){a:1}.panel:not(:has(.missing)){b:1}"


def test_statements_and_nested_rules_are_kept_as_they_are() -> None:
    css = '@charset "utf-8";.good{color:red;&.missing{a:1}}.missing{b:1}\n'
    assert used_styles(css, PAGE) == '@charset "utf-8";.good{color:red;&.missing{a:1}}\n'
