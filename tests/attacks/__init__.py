"""Attacks: small hostile submissions against the real server, zygote and jail, in both tiers.

`listed/` is the list, by what is attacked. `attack` is one of them, `canaries` what is planted for them to find or break,
`server` the process they attack, `served` the test's side of it, `weakened` the same jail with a wall missing.
"""
