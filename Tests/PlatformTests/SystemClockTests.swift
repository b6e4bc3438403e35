import Platform
import Testing

@Suite(.timeLimit(.minutes(10))) struct SystemClockTests {
  @Test("time does not go back, and a wait ends at or after its deadline")
  func monotonic() {
    let clock = SystemClock()
    var last = clock.nowNanoseconds
    for _ in 0..<1_000 {
      let now = clock.nowNanoseconds
      #expect(now >= last)
      last = now
    }
    let deadline = clock.nowNanoseconds + 1_000_000
    clock.wait(untilNanoseconds: deadline)
    #expect(clock.nowNanoseconds >= deadline)
    // A deadline that lies behind does not wait: this would take 300 years.
    clock.wait(untilNanoseconds: 0)
  }
}
