import AudioGraph
import FrameObservers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AsynchronousObserverTests {
  @Test(
    "an offline pipeline waits for the ring and loses no frame", .shows("F17"),
    arguments: [1, 2, 3, 50])
  func lossless(capacity: Int) throws {
    let input = noise(22_050, seed: 1)
    let rig = try ObserverRig(sampleRate: 22_050, playing: [input], isOffline: true)
    let (log, converted) = (FrameLog(), FrameLog())
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 1_024)
    let registration = try rig.add(log.request(isAsynchronous: true, capacity: capacity))
    try rig.add(converted.request(params: [.record: params], isAsynchronous: true, capacity: capacity))
    var waits = 0
    for _ in 0..<100 {
      while !rig.hub.hasRoom() {
        waits += 1
        rig.room.wait(atMostMilliseconds: 10_000)
      }
      rig.tick()
    }
    rig.hub.finish()
    #expect(log.channel(0) == input.map(rounded16))
    #expect(log.frames.map(\.sequenceNumber) == Array(0..<100))
    #expect(converted.count == 16_000 / 1_024)
    for (frame, next) in zip(converted.frames, converted.frames.dropFirst()) {
      #expect(next.samplePosition == frame.samplePosition + 1_024)
    }
    #expect(registration.droppedFrameCount == 0)
    #expect(waits > 0 || capacity == 50)
  }

  @Test("offline, a mask that comes on while the ring is full loses nothing")
  func maskComesOn() throws {
    let rig = try ObserverRig(sampleRate: 8_000, playing: [[Float](repeating: 0, count: 8_000)], isOffline: true)
    let (inside, mayGoOn) = (Tally(), Tally())
    let registration = try rig.add(
      .readOnly(at: .record, isAsynchronous: true, capacity: 2) { _, _ in
        inside.add()
        _ = eventually { mayGoOn.count == 1 }
      })
    rig.tick(1)
    #expect(eventually { inside.count == 1 })
    rig.tick(2)
    registration.mask = []
    #expect(!rig.hub.hasRoom())
    mayGoOn.set(1)
    #expect(eventually { rig.hub.hasRoom() })
    rig.hub.finish()
    #expect(registration.droppedFrameCount == 0)
  }

  @Test("a slow live observer loses its oldest frames, which are counted", .shows("F17"))
  func live() throws {
    let input = noise(48_000, seed: 3)
    let rig = try ObserverRig(sampleRate: 48_000, playing: [input])
    let (log, other, isHeld, mayGoOn) = (FrameLog(), FrameLog(), Tally(), Tally())
    let registration = try rig.add(
      .readOnly(at: .record, isAsynchronous: true, capacity: 5) { frame, _ in
        log.append(frame.copy())
        if frame.samplePosition == 0 {
          isHeld.set(1)
          _ = eventually { mayGoOn.count == 1 }
        }
      })
    try rig.add(other.request())
    rig.tick(1)
    #expect(eventually { isHeld.count == 1 })
    rig.tick(60)
    mayGoOn.set(1)
    rig.hub.finish()
    // The first, and the five newest of the sixty that came meanwhile.
    #expect(log.frames.map(\.samplePosition) == [0] + (56...60).map { $0 * 480 })
    #expect(log.frames.map(\.sequenceNumber) == Array(0...5))
    #expect(registration.droppedFrameCount == 55)
    let expected = input[0..<480] + input[(56 * 480)..<(61 * 480)]
    #expect(log.channel(0) == expected.map(rounded16))
    #expect(other.channel(0) == input[..<(61 * 480)].map(rounded16))
    #expect(rig.output[0] == Array(input[..<(61 * 480)]))
  }

  @Test(
    "a converted stream restarts at its position behind dropped frames",
    arguments: [22_050, 48_000])
  func restart(rate: Int) throws {
    // Loud until frame 40; the ring loses the rest of it. The impulse comes 20 frames later.
    let at = rate * 60 / 100 + 33
    var input = [Float](repeating: 0, count: rate)
    for index in 0..<(rate * 40 / 100) { input[index] = 0.5 }
    input[at] = 0.9
    let rig = try ObserverRig(sampleRate: rate, playing: [input])
    let (log, isHeld, mayGoOn) = (FrameLog(), Tally(), Tally())
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 160)
    let registration = try rig.add(
      .readOnly(at: .record, params: [.record: params], isAsynchronous: true, capacity: 40) { frame, _ in
        log.append(frame.copy())
        if frame.sequenceNumber == 10, isHeld.add() == 1 { _ = eventually { mayGoOn.count == 1 } }
      })
    rig.tick(30)
    #expect(eventually { isHeld.count >= 1 })
    rig.tick(65)
    mayGoOn.set(1)
    rig.hub.finish()
    #expect(registration.droppedFrameCount > 20)
    let frames = log.frames
    #expect(frames.map(\.sequenceNumber) == Array(frames.indices))
    let jumps = zip(frames, frames.dropFirst()).filter { $1.samplePosition != $0.samplePosition + 160 }
    #expect(jumps.count == 1)
    let restart = try #require(jumps.first).1
    let later = frames.drop { $0.sequenceNumber < restart.sequenceNumber }
    let samples = later.flatMap(\.samples)
    let found = restart.samplePosition + Signals.peak(samples)
    #expect(abs(found - at * 16_000 / rate) <= 1)
    // Of the loud part nothing but the ringing of the filter where it was cut may be left.
    #expect(samples.filter { abs(Int($0)) > 2_000 }.count < 40)
    #expect(rig.output[0] == Array(input[..<rig.samples(inTicks: 95)]))
  }

  @Test("a removed place delivers the frames of its ring")
  func placeGoesAway() throws {
    let rig = try ObserverRig(sampleRate: 8_000, isOffline: true)
    let silence = [[Float](repeating: 0, count: 8_000)]
    try rig.addLane(FrameOrigin(position: .beforeMixing, uid: 1), playing: silence)
    let leaving = try rig.addLane(FrameOrigin(position: .beforeMixing, uid: 2), playing: silence)
    let (uids, isHeld, mayGoOn) = (IntegerLog(), Tally(), Tally())
    let registration = try rig.add(
      .readOnly(at: .beforeMixing, isAsynchronous: true) { _, source in
        uids.append(Int(source.uid))
        isHeld.set(1)
        _ = eventually { mayGoOn.count == 1 }
      })
    rig.tick(10)
    #expect(eventually { isHeld.count == 1 })
    try rig.hub.removePlace(leaving.source)
    try rig.graph.remove(leaving.playerID)
    try rig.graph.remove(leaving.collectorID)
    try rig.install()
    rig.tick(5)
    rig.runner.collect()
    mayGoOn.set(1)
    #expect(eventually { uids.values.count == 25 })
    rig.hub.finish()
    #expect(uids.values.filter { $0 == 1 }.count == 15)
    #expect(uids.values.filter { $0 == 2 }.count == 10)
    #expect(registration.droppedFrameCount == 0)
  }

  @Test("frames lost at a place stay counted when the place goes away")
  func countsOutliveThePlace() throws {
    let rig = try ObserverRig(sampleRate: 8_000)
    let lane = try rig.addLane(FrameOrigin(position: .record), playing: [[Float](repeating: 0, count: 8_000)])
    let (isHeld, mayGoOn) = (Tally(), Tally())
    let registration = try rig.add(
      .readOnly(at: .record, isAsynchronous: true, capacity: 2) { _, _ in
        isHeld.set(1)
        _ = eventually { mayGoOn.count == 1 }
      })
    rig.tick(1)
    #expect(eventually { isHeld.count == 1 })
    rig.tick(10)
    try rig.hub.removePlace(lane.source)
    try rig.graph.remove(lane.playerID)
    try rig.graph.remove(lane.collectorID)
    try rig.install()
    rig.tick(2)
    rig.runner.collect()
    mayGoOn.set(1)
    rig.hub.finish()
    #expect(registration.droppedFrameCount == 8)
    registration.remove()
    try rig.hub.sweep()
    #expect(registration.droppedFrameCount == 8)
  }

  @Test("finish delivers waiting frames, and the pipeline no longer waits")
  func finish() throws {
    let rig = try ObserverRig(sampleRate: 8_000, playing: [[Float](repeating: 0, count: 8_000)], isOffline: true)
    let logs = [FrameLog(), FrameLog()]
    for log in logs { try rig.add(log.request(isAsynchronous: true, capacity: 8)) }
    rig.tick(8)
    rig.hub.finish()
    #expect(logs.map(\.count) == [8, 8])
    rig.hub.finish()
    for _ in 0..<20 {
      #expect(rig.hub.hasRoom())
      rig.tick()
    }
    #expect(logs.map(\.count) == [8, 8])
  }
}
