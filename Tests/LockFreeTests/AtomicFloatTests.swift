import Glibc
import LockFree
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AtomicFloatTests {
  @Test(
    "a value comes back with every bit",
    arguments: [0, -0.0, 1, -1, Float.leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, .nan])
  func everyBit(value: Float) {
    #expect(AtomicFloat(value).value.bitPattern == value.bitPattern)
    let number = AtomicFloat(0.5)
    number.set(value)
    #expect(number.value.bitPattern == value.bitPattern)
  }

  @Test("values set on one thread are seen on another in order")
  func betweenThreads() {
    let number = Shared()
    let faults = ThreadOwned(0)
    let last: Float = 100_000
    runThreads(
      { for value in 1...100_000 { number.float.set(Float(value)) } },
      {
        var newest: Float = 0
        while newest < last {
          let seen = number.float.value
          if seen < newest { faults.value += 1 }
          newest = seen
        }
      })
    #expect(faults.value == 0)
  }

  private final class Shared: Sendable {
    let float = AtomicFloat(0)
  }
}
