import AudioGraph
import FrameObservers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FrameStreamTests {
  /// Ticks on a thread of its own, and waits for room before each.
  private func run(_ rig: ObserverRig, ticks: Int) throws -> BackgroundThread {
    // SAFETY: `hasRoom` may run while the control side edits; nothing else of the hub is used here.
    nonisolated(unsafe) let hub = rig.hub
    let (runner, room) = (rig.runner, rig.room)
    return try BackgroundThread(named: "ticks") {
      for tick in 0..<ticks {
        while !hub.hasRoom() { room.wait(atMostMilliseconds: 1_000) }
        runner.tick(timeNanoseconds: tick * 10_000_000)
      }
      hub.finish()
    }
  }

  @Test(
    "an offline loop gets every frame and ends with the hub",
    arguments: [1, 3, 50])
  func lossless(capacity: Int) async throws {
    let input = noise(24_000, seed: 4)
    let rig = try ObserverRig(sampleRate: 48_000, playing: [input], isOffline: true)
    let stream = FrameStream(capacity: capacity, isOffline: true)
    try rig.add(stream.request(at: .record))
    let thread = try run(rig, ticks: 50)
    var samples: [Int16] = []
    for await frame in stream { samples += frame.samples }
    thread.join()
    #expect(samples == input.map(rounded16))
    #expect(stream.droppedFrameCount == 0)
  }

  @Test("a stream has its own params")
  func params() async throws {
    let rig = try ObserverRig(sampleRate: 48_000, playing: [noise(48_000, seed: 4)], isOffline: true)
    let stream = FrameStream(capacity: 4, isOffline: true)
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 1_024)
    try rig.add(stream.request(at: .record, params: params))
    let thread = try run(rig, ticks: 100)
    var counts: [Int] = []
    for await frame in stream { counts.append(frame.samples.count) }
    thread.join()
    #expect(counts == [Int](repeating: 1_024, count: 15))
  }

  @Test("frames that a live loop does not fetch are dropped and counted", .shows("F18"))
  func live() async throws {
    let rig = try ObserverRig(sampleRate: 8_000, playing: [[Float](repeating: 0, count: 8_000)])
    let stream = FrameStream(capacity: 5, isOffline: false)
    let registration = try rig.add(stream.request(at: .record))
    for tick in 1...30 {
      rig.tick()
      // Nothing lost before the stream: each frame has left the ring before the next.
      #expect(eventually { registration.durations(at: .record)?.count == tick })
    }
    rig.hub.finish()
    var positions: [Int] = []
    for await frame in stream { positions.append(frame.samplePosition / 80) }
    #expect(positions == Array(25..<30))
    #expect(stream.droppedFrameCount == 25)
    #expect(registration.droppedFrameCount == 0)
  }

  @Test("a cancelled stream gives its frames, and the pipeline does not wait")
  func cancel() async throws {
    let rig = try ObserverRig(sampleRate: 8_000, playing: [[Float](repeating: 0, count: 8_000)], isOffline: true)
    let stream = FrameStream(capacity: 2, isOffline: true)
    let registration = try rig.add(stream.request(at: .record))
    // Two wait in the stream, the thread waits with the third, and two more are in the ring.
    for _ in 0..<5 {
      #expect(eventually { rig.hub.hasRoom() })
      rig.tick()
    }
    #expect(eventually { registration.durations(at: .record)?.count == 2 })
    #expect(!rig.hub.hasRoom())
    stream.cancel()
    rig.hub.finish()
    var count = 0
    for await _ in stream { count += 1 }
    #expect(count == 2)
    #expect(registration.durations(at: .record)?.count == 5)
    #expect(registration.droppedFrameCount == 0)
  }

  @Test("an abandoned loop does not stall the pipeline", arguments: [false, true])
  func abandoned(isCancelled: Bool) async throws {
    let rig = try ObserverRig(sampleRate: 8_000, playing: [[Float](repeating: 0, count: 8_000)], isOffline: true)
    let stream = FrameStream(capacity: 2, isOffline: true)
    let registration = try rig.add(stream.request(at: .record))
    let thread = try run(rig, ticks: 100)
    let fetched = Tally()
    let task = Task {
      for await _ in stream where fetched.add() >= 3 {
        if !isCancelled { break }
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await task.value
    thread.join()
    #expect(fetched.count >= 3)
    #expect(rig.runner.tickCount == 100)
    // Frames that nobody will fetch are not copied either.
    #expect(registration.mask.isEmpty)
  }

  @Test("a loop removes the registration that feeds it")
  func removedByTheLoop() async throws {
    let rig = try ObserverRig(sampleRate: 8_000, playing: [[Float](repeating: 0, count: 8_000)], isOffline: true)
    let stream = FrameStream(capacity: 1, isOffline: true)
    let registration = try rig.add(stream.request(at: .record))
    let thread = try run(rig, ticks: 50)
    var count = 0
    for await _ in stream {
      count += 1
      if count == 3 { registration.remove() }
    }
    // What the stream held when it was removed still came.
    #expect((3...5).contains(count))
    thread.join()
    #expect(rig.runner.tickCount == 50)
  }

  @Test("a stream that nobody holds any more is gone")
  func noCycle() throws {
    weak var left: FrameStream?
    let rig = try ObserverRig(sampleRate: 8_000, playing: [[Float](repeating: 0, count: 8_000)])
    do {
      let stream = FrameStream(capacity: 1, isOffline: false)
      left = stream
      try rig.remove(rig.add(stream.request(at: .record)))
      rig.tick(2)
      rig.runner.collect()
    }
    #expect(left == nil)
  }
}
