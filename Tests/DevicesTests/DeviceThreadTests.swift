import Devices
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DeviceThreadTests {
  private final class Counter: ServicedStream {
    let wakes = Atomic(0)
    func service() { wakes.add(1, ordering: .relaxed) }
    func wait() { sched_yield() }
    var nextWakeNanoseconds: Int { 0 }
  }

  @Test("a stream is serviced until the end of its run, and not later")
  func run() throws {
    let counter = Counter()
    let thread = try DeviceThread(counter, named: "device")
    #expect(eventually { counter.wakes.load(ordering: .relaxed) >= 100 })
    thread.end()
    let wakes = counter.wakes.load(ordering: .relaxed)
    thread.end()
    #expect(counter.wakes.load(ordering: .relaxed) == wakes)
  }
}
