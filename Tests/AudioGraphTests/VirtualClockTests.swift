import AudioGraph
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct VirtualClockTests {
  @Test("the clock stalls until a caller waits, and then shows the deadline")
  func wait() {
    let clock = VirtualClock(startNanoseconds: 5)
    #expect(clock.nowNanoseconds == 5)
    #expect(clock.nowNanoseconds == 5)
    clock.wait(untilNanoseconds: 1_200_000_000_000)
    #expect(clock.nowNanoseconds == 1_200_000_000_000)
  }

  @Test("a deadline that lies behind changes nothing")
  func past() {
    let clock = VirtualClock(startNanoseconds: 1_000)
    clock.wait(untilNanoseconds: 999)
    #expect(clock.nowNanoseconds == 1_000)
    clock.wait(untilNanoseconds: -1)
    #expect(clock.nowNanoseconds == 1_000)
  }

  @Test("advance moves the clock on by that much")
  func advance() {
    let clock = VirtualClock()
    #expect(clock.nowNanoseconds == 0)
    clock.advance(byNanoseconds: 10_000_000)
    clock.advance(byNanoseconds: 1)
    #expect(clock.nowNanoseconds == 10_000_001)
  }

  @Test("the clock never goes back and ends at the latest of many deadlines")
  func threads() {
    let clock = VirtualClock()
    let faults = [ThreadOwned(0), ThreadOwned(0), ThreadOwned(0)]
    func waits(_ thread: Int) -> @Sendable () -> Void {
      {
        for step in 1...20_000 {
          let deadline = step * (thread + 1)
          let before = clock.nowNanoseconds
          clock.wait(untilNanoseconds: deadline)
          if clock.nowNanoseconds < max(before, deadline) { faults[thread].value += 1 }
        }
      }
    }
    runThreads(waits(0), waits(1), waits(2))
    #expect(clock.nowNanoseconds == 60_000)
    #expect(faults.allSatisfy { $0.value == 0 })
  }

  @Test("a graph sees the time that its tick is given")
  func tickTime() throws {
    let clock = VirtualClock(startNanoseconds: 3)
    let graph = try Graph(sampleRate: 48_000)
    let sink = RecordingSink()
    try graph.connect(graph.add(SignalSource(constant: 0), named: "source"), to: graph.add(sink, named: "sink"))
    let runner = GraphRunner(sampleRate: 48_000)
    try runner.install(graph)
    for index in 1...3 {
      runner.tick(timeNanoseconds: clock.nowNanoseconds)
      clock.wait(untilNanoseconds: index * 10_000_000)
    }
    #expect(sink.headers.map(\.captureTimeNanoseconds) == [3, 10_000_000, 20_000_000])
  }
}
