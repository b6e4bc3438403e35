import AudioGraph
import Engine
import FileTestSupport
import Playback
import Testing

@Suite(.timeLimit(.minutes(10))) struct EventHandlerTests {
  @Test("a handler that removes itself has no further event of the same tick")
  func removal() throws {
    let files = TestFiles()
    let path = try files.write("short.wav", [[Float](repeating: 0.25, count: 4_800)])
    let script = try SoundScript(ticks: 60)
    let calls = Guarded(0)
    let registration = Guarded<EventRegistration?>(nil)
    let own = script.pipeline.onEvent { _ in
      calls.withLock { $0 += 1 }
      registration.withLock { $0?.remove() }
    }
    registration.withLock { $0 = own }
    // The end of a pass is two events of one sample.
    try script.pipeline.startAudioMixing(path, cycle: 2)
    script.at(1) {
      #expect(calls.withLock { $0 } == 1)
    }
    try script.run()
    #expect(calls.withLock { $0 } == 1 && script.history.count == 5)

    let other = try SoundScript(ticks: 60)
    let seen = Guarded<[String]>([])
    let second = Guarded<EventRegistration?>(nil)
    let late = other.pipeline.onEvent { event in
      seen.withLock { $0.append("\(event.kind)") }
      guard case .music(.playing, .loopCompleted) = event.kind else { return }
      second.withLock { $0?.remove() }
    }
    second.withLock { $0 = late }
    try other.pipeline.startAudioMixing(path, cycle: 2)
    try other.run()
    // It began and its pass ended; the next loop is told in the same moment.
    #expect(seen.withLock { $0.count } == 2 && other.history.count == 5)
  }
}
