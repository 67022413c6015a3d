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
