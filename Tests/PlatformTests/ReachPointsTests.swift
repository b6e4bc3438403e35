import Platform
import Testing

/// Points that a thread notes.
@Suite(.timeLimit(.minutes(10))) struct ReachPointsTests {
  @Test("points are known until they are forgotten, each once")
  func note() {
    ReachPoints.forget()
    #expect(ReachPoints.reached.isEmpty)
    for point in ReachPoint.allCases.reversed() {
      ReachPoints.note(point)
      ReachPoints.note(point)
    }
    #expect(ReachPoints.reached == ReachPoint.allCases)
    ReachPoints.forget()
    ReachPoints.note(.userDropped)
    #expect(ReachPoints.reached == [.userDropped])
    ReachPoints.forget()
  }

  @Test("a thread knows its own points alone")
  func threads() throws {
    ReachPoints.forget()
    ReachPoints.note(.userDropped)
    let others = Guarded<[[ReachPoint]]>([])
    let thread = try BackgroundThread(named: "points") {
      others.withLock { $0.append(ReachPoints.reached) }
      ReachPoints.note(.connectionLost)
      others.withLock { $0.append(ReachPoints.reached) }
    }
    thread.join()
    #expect(others.withLock { $0 } == [[], [.connectionLost]])
    #expect(ReachPoints.reached == [.userDropped])
    ReachPoints.forget()
  }

  @Test("each point has a bit, and a sentence of its own with its part")
  func sentences() {
    #expect(ReachPoint.allCases.count <= 64)
    #expect(Set(ReachPoint.allCases.map(\.description)).count == ReachPoint.allCases.count)
    let parts = ["relay: ", "session: ", "transport: ", "jitter buffer: "]
    #expect(ReachPoint.allCases.allSatisfy { point in parts.contains { point.description.hasPrefix($0) } })
  }
}
