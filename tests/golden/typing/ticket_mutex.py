# SHOW: typed
# KERNEL: yes
# ROW: HET-ATM-1
# ROW: HET-ATM-2
# ROW: HET-ATM-3
# ROW: HET-ATM-4
# ROW: HET-ATM-5
# ROW: HET-STR-12
# FOR: (int32[::1])
from hetjit import device
@device.struct
class ticket_mutex:
    line: device.Atomic(int, align=16)
    current: device.Atomic(int, align=16)
    def lock(self):
        my = self.line.add(1)
        while True:
            now = self.current.load()
            if now == my:
                break
            self.current.wait(now)
    def unlock(self):
        self.current.add(1)
        self.current.notify_all()
@device.struct
class Slot:
    mutex: ticket_mutex
    value: float
def f(out):
    mutexes = device.shared_array(2, ticket_mutex)
    slots = device.shared_array(3, Slot)
    mutexes[1].lock()
    out[0] += 1
    mutexes[1].unlock()
    slot = slots[0]
    slot.mutex.lock()
    slot.value = slot.value + 1
    slot.mutex.unlock()

# CHECK: f(out: array[i32, 1, contiguous]) -> none
# CHECK: b0(v0: array[i32, 1, contiguous]):
# CHECK:   v1: ptr[struct ticket_mutex {line: struct "hetjit.Atomic[int]" {value: weak i32} align 16, current: struct "hetjit.Atomic[int]" {value: weak i32} align 16}] = sharedmemory 0 64 16  30:14-50
# CHECK:   v2: i64 = const 2                         30:14-50
# CHECK:   v3: array[struct ticket_mutex {line: struct "hetjit.Atomic[int]" {value: weak i32} align 16, current: struct "hetjit.Atomic[int]" {value: weak i32} align 16}, 1, contiguous, index32] = makearray v1, v2  30:14-50
# CHECK:   v4: ptr[struct Slot {mutex: struct ticket_mutex {line: struct "hetjit.Atomic[int]" {value: weak i32} align 16, current: struct "hetjit.Atomic[int]" {value: weak i32} align 16}, value: weak f32}] = sharedmemory 1 144 16  31:12-40
# CHECK:   v5: i64 = const 3                         31:12-40
# CHECK:   v6: array[struct Slot {mutex: struct ticket_mutex {line: struct "hetjit.Atomic[int]" {value: weak i32} align 16, current: struct "hetjit.Atomic[int]" {value: weak i32} align 16}, value: weak f32}, 1, contiguous, index32] = makearray v4, v5  31:12-40
# CHECK:   v7: i32 = const 1                         32:4-14
# CHECK:   v8: ptr[struct ticket_mutex {line: struct "hetjit.Atomic[int]" {value: weak i32} align 16, current: struct "hetjit.Atomic[int]" {value: weak i32} align 16}] = element v3, v7  32:4-14
# CHECK:   v9: none = call 1 v8                      32:4-21
# CHECK:   v10: i64 = const 0                        33:4-10
# CHECK:   v11: ptr[i32] = element v0, v10           33:4-10
# CHECK:   v12: i32 = load v11                       33:4-10
# CHECK:   v13: i32 = const 1                        33:4-15
# CHECK:   v14: i32 = add v12, v13                   33:4-15
# CHECK:   v15: i64 = const 0                        33:4-10
# CHECK:   v16: ptr[i32] = element v0, v15           33:4-10
# CHECK:   store v16, v14                            33:4-10
# CHECK:   v17: i32 = const 1                        34:4-14
# CHECK:   v18: ptr[struct ticket_mutex {line: struct "hetjit.Atomic[int]" {value: weak i32} align 16, current: struct "hetjit.Atomic[int]" {value: weak i32} align 16}] = element v3, v17  34:4-14
# CHECK:   v19: none = call 2 v18                    34:4-23
# CHECK:   v20: i32 = const 0                        35:11-19
# CHECK:   v21: ptr[struct Slot {mutex: struct ticket_mutex {line: struct "hetjit.Atomic[int]" {value: weak i32} align 16, current: struct "hetjit.Atomic[int]" {value: weak i32} align 16}, value: weak f32}] = element v6, v20  35:11-19
# CHECK:   v22: ptr[struct ticket_mutex {line: struct "hetjit.Atomic[int]" {value: weak i32} align 16, current: struct "hetjit.Atomic[int]" {value: weak i32} align 16}] = field 0 v21  36:4-14
# CHECK:   v23: none = call 1 v22                    36:4-21
# CHECK:   v24: ptr[f32] = field 1 v21               37:17-27
# CHECK:   v25: f32 = load v24                       37:17-27
# CHECK:   v26: f32 = constf 1.0                     37:17-31
# CHECK:   v27: f32 = add v25, v26                   37:17-31
# CHECK:   v28: ptr[f32] = field 1 v21               37:4-14
# CHECK:   store v28, v27                            37:4-14
# CHECK:   v29: ptr[struct ticket_mutex {line: struct "hetjit.Atomic[int]" {value: weak i32} align 16, current: struct "hetjit.Atomic[int]" {value: weak i32} align 16}] = field 0 v21  38:4-14
# CHECK:   v30: none = call 2 v29                    38:4-23
# CHECK:   v31: none = none                          38:4-23
# CHECK:   return v31                                38:4-23
# CHECK:
# CHECK: lock(self: ptr[struct ticket_mutex {line: struct "hetjit.Atomic[int]" {value: weak i32} align 16, current: struct "hetjit.Atomic[int]" {value: weak i32} align 16}]) -> none
# CHECK: b0(v0: ptr[struct ticket_mutex {line: struct "hetjit.Atomic[int]" {value: weak i32} align 16, current: struct "hetjit.Atomic[int]" {value: weak i32} align 16}]):
# CHECK:   v1: ptr[struct "hetjit.Atomic[int]" {value: weak i32}] = field 0 v0  @1 16:13-22
# CHECK:   v2: ptr[i32] = field 0 v1                 @1 16:13-22
# CHECK:   v3: i32 = const 1                         @1 16:13-29
# CHECK:   v4: i32 = atomicupdate add seq_cst system v2, v3  @1 16:13-29
# CHECK:   jump b1                                   @1 16:8-10
# CHECK: b1():
# CHECK:   v5: ptr[struct "hetjit.Atomic[int]" {value: weak i32}] = field 1 v0  @1 18:18-30
# CHECK:   v6: ptr[i32] = field 0 v5                 @1 18:18-30
# CHECK:   v7: i32 = atomicload seq_cst system v6    @1 18:18-37
# CHECK:   v8: bool = compare eq v7, v4              @1 19:15-24
# CHECK:   branch v8, b2, b3                         @1 19:15-24
# CHECK: b2():
# CHECK:   v9: none = none                           @1 20:16-21
# CHECK:   return v9                                 @1 20:16-21
# CHECK: b3():
# CHECK:   v10: ptr[struct "hetjit.Atomic[int]" {value: weak i32}] = field 1 v0  @1 21:12-24
# CHECK:   v11: ptr[i32] = field 0 v10               @1 21:12-24
# CHECK:   jump b4                                   @1 21:12-34
# CHECK: b4():
# CHECK:   v12: i32 = atomicload seq_cst system v11  @1 21:12-34
# CHECK:   v13: bool = compare eq v12, v7            @1 21:12-34
# CHECK:   branch v13, b5, b6                        @1 21:12-34
# CHECK: b5():
# CHECK:   pause                                     @1 21:12-34
# CHECK:   jump b4                                   @1 21:12-34
# CHECK: b6():
# CHECK:   jump b1                                   @1 17:8-21:34
# CHECK:
# CHECK: unlock(self: ptr[struct ticket_mutex {line: struct "hetjit.Atomic[int]" {value: weak i32} align 16, current: struct "hetjit.Atomic[int]" {value: weak i32} align 16}]) -> none
# CHECK: b0(v0: ptr[struct ticket_mutex {line: struct "hetjit.Atomic[int]" {value: weak i32} align 16, current: struct "hetjit.Atomic[int]" {value: weak i32} align 16}]):
# CHECK:   v1: ptr[struct "hetjit.Atomic[int]" {value: weak i32}] = field 1 v0  @2 23:8-20
# CHECK:   v2: ptr[i32] = field 0 v1                 @2 23:8-20
# CHECK:   v3: i32 = const 1                         @2 23:8-27
# CHECK:   v4: i32 = atomicupdate add seq_cst system v2, v3  @2 23:8-27
# CHECK:   v5: ptr[struct "hetjit.Atomic[int]" {value: weak i32}] = field 1 v0  @2 24:8-20
# CHECK:   v6: ptr[i32] = field 0 v5                 @2 24:8-20
# CHECK:   v7: none = none                           @2 24:8-33
# CHECK:   return v7                                 @2 24:8-33
