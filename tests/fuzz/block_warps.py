"""Shuffles, votes and matches in kernels whose threads work together (blocks.py). A mask names exactly the lanes that call: all of a
warp, or those that a ballot has found on one side of a branch. In all of a warp any lane is asked, also one that no thread is; in a part
of it one that is there."""

from block_values import KINDS, PLACES, spelled


class WarpStatements:
    def warp(self):
        """All lanes of a warp, or those of both sides of a branch apart."""
        if self.returned:
            return self.divergent()
        if not self.chance(2):
            return self.warp_operation("device.FULL_MASK")
        condition, mask = self.fresh("c"), self.fresh("m")
        self.say(f"{condition} = {self.expression('bool')}")
        self.say(f"{mask} = device.ballot_sync(device.FULL_MASK, {condition})")
        self.say(f"if {condition}:")
        with self.nested():
            for _ in range(1 + self.below(2)):
                self.warp_operation(mask)
                if self.chance(3):
                    self.divergent(1)
        if self.chance(3):
            self.say("else:")
            with self.nested():
                rest = self.fresh("m")
                self.say(f"{rest} = device.WarpMask(~{mask} & present)")
                self.warp_operation(rest)

    def warp_operation(self, mask):
        self.pick((self.shuffle, self.shuffle, self.ballot, self.warp_vote, self.match_any, self.match_all, self.combined_masks))(mask)
        if self.chance(3):
            self.say(f"total = total * 5 + device.int32({self.pick((*PLACES, 'device.lane_id'))})")

    def shuffle(self, mask):
        kind = self.pick([self.names[name] for name in self.variables()])
        name, value = self.pick(self.variables([kind])), self.expression(kind)
        if mask != "device.FULL_MASK":
            lane = self.pick((f"device.ffs({mask}) - 1", "lane"))
            return self.say(f"{name} = device.shfl_sync({mask}, {value}, {lane})")
        how = self.pick(("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync"))
        warp = self.lanes
        by = self.pick(("1", "0", "2", "16", f"{warp - 1}", "t % 3", f"(t * 7) % {warp}", f"t // {warp} * 5 % {warp}",
                        *(f"abs({name}) % {warp}" for name in self.uniform), *((f"t % {warp + 8}", f"{warp + 1}") if how != "shfl_sync" else ())))
        self.say(f"{name} = device.{how}({mask}, {value}, device.int32({by}))")

    def folded(self, mask):
        """An int32 that each bit of a mask counts in."""
        return f"device.int32({mask})" if self.lanes == 32 else f"device.int32({mask} % 1000003)"

    def ballot(self, mask):
        votes = f"device.ballot_sync({mask}, {self.expression('bool')})"
        self.say(f"total = total * 7 + {self.folded(votes)}")

    def combined_masks(self, mask):
        """What is made of ballots is a mask again: `~` has lanes that do not call, and maybe are not there, too."""
        names = [mask]
        for _ in range(2 + self.below(2)):
            name = self.fresh("m")
            self.say(f"{name} = device.ballot_sync({mask}, {self.expression('bool')})")
            names.append(name)
        one, other, chosen = self.pick(names), self.pick(names), self.expression("bool")
        made = f"{self.pick(('', '~'))}{one} {self.pick('&|^')} {self.pick(('', '~'))}{other}"
        name = self.fresh("m")
        self.say(f"{name} = {self.pick((made, f'({made}) & {self.pick(names)}', f'~({made})', f'{one} if {chosen} else {made}'))}")
        if self.chance(2):
            self.say(f"{name} {self.pick('&|^')}= {self.pick(names)}")
        self.say(f"total = total * 3 + {self.pick((f'{name}.bit_count()', f'{name}.bit_length()', f'(1 if {name}[device.lane_id] else 0)', self.folded(name)))}")

    def warp_vote(self, mask):
        how = self.pick(("all_sync", "any_sync", "eq_sync"))
        self.say(f"total = total * 3 + (1 if device.{how}({mask}, {self.expression('bool')}) else 0)")

    def match_any(self, mask):
        found = f"device.match_any_sync({mask}, {self.exact(self.matched())})"
        self.say(f"total = total * 3 + {self.folded(found)}")

    def match_all(self, mask):
        name = self.fresh("w")
        self.say(f"{name} = device.match_all_sync({mask}, {self.exact(self.matched())})")
        self.say(f"total = total * 3 + {self.folded(name + '[0]')} + (1 if {name}[1] else 0)")

    def matched(self):
        return self.pick(kind for kind in KINDS if spelled(kind))
