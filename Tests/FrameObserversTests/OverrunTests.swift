import AudioGraph
import FrameObservers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct OverrunTests {
  @Test("calls of more than 10 ms are counted by observer and position", .shows("F17"))
  func counted() throws {
    let rig = try ObserverRig(sampleRate: 8_000)
    for position in [ObserverPosition.record, .playback] {
      try rig.addLane(FrameOrigin(position: position), playing: [[Float](repeating: 0, count: 8_000)])
    }
    let slow = try rig.add(
      .readOnly(at: .standard) { frame, source in
        if source.position == .playback, frame.sequenceNumber % 4 == 1 { spin(milliseconds: 11) }
      })
    let quick = try rig.add(.readOnly(at: .standard) { _, _ in })
    rig.tick(8)
    #expect(slow.id != quick.id)
    #expect(slow.overrunCount(at: .playback) == 2)
    // On a busy machine a quick call may be held up by others.
    #expect(slow.overrunCount >= 2 && slow.overrunCount == slow.overrunCount(at: .standard))
    let playback = try #require(slow.durations(at: .playback))
    #expect(playback.count == 8)
    #expect(playback.maximumNanoseconds >= 11_000_000)
    #expect(playback.nanoseconds(atQuantile: 0.99) >= 11_000_000 * 94 / 100)
    #expect(playback.nanoseconds(atQuantile: 0.5) < playback.nanoseconds(atQuantile: 0.99))
    #expect(slow.durations(at: .record)?.count == 8)
    #expect(slow.durations(at: .mixed)?.count == 0)
    #expect(quick.durations(at: .playback)?.count == 8)
    #expect(quick.overrunCount(at: .mixed) == 0)
  }

  @Test("a slow asynchronous observer does not delay the tick", .shows("F17"))
  func asynchronous() throws {
    let rig = try ObserverRig(sampleRate: 8_000, playing: [[Float](repeating: 0, count: 8_000)])
    let (started, mayGoOn) = (Tally(), Tally())
    let slow = try rig.add(
      .readOnly(at: .record, isAsynchronous: true, capacity: 4) { _, _ in
        started.add()
        spin(milliseconds: 11)
        _ = eventually { mayGoOn.count == 1 }
      })
    let log = FrameLog()
    try rig.add(log.request())
    rig.tick(1)
    #expect(eventually { started.count == 1 })
    // The tick goes on while the call does not.
    rig.tick(50)
    #expect(log.count == 51)
    #expect(started.count == 1)
    mayGoOn.set(1)
    rig.hub.finish()
    #expect(slow.overrunCount == started.count)
    #expect(started.count + slow.droppedFrameCount == 51)
    #expect(slow.droppedFrameCount == 46)
  }
}
