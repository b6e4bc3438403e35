import AudioGraph
import FrameObservers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReadOnlyObserverTests {
  @Test(
    "read-only observers leave the pipeline bit-identical", .shows("F14"),
    arguments: [11_025, 48_000], [1, 2])
  func identical(rate: Int, channels: Int) throws {
    let ticks = 200
    let input = (0..<channels).map { noise(rate * ticks / 100, seed: UInt64($0)) }
    let rig = try ObserverRig(sampleRate: rate, playing: input, isOffline: false)
    try rig.install()
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 1_024)
    let log = FrameLog()
    let requests = [
      log.request(), log.request(params: [.record: params]), log.request(isAsynchronous: true),
      log.request(params: [.record: params], isAsynchronous: true), log.request(at: []),
      // What somebody who may only look writes is lost.
      .observer(Scribbler(), mask: .record),
    ]
    var generator = SeededGenerator(seed: UInt64(rate + channels))
    var registered: [ObserverRegistration] = []
    for _ in 0..<ticks {
      if Bool.random(using: &generator) {
        registered.append(try rig.add(requests.randomElement(using: &generator)!))
      } else if let index = registered.indices.randomElement(using: &generator) {
        try rig.remove(registered.remove(at: index))
      }
      rig.tick()
    }
    #expect(log.count > ticks / 4)
    #expect(rig.output == input, "seed \(rate + channels)")
    for registration in registered { registration.remove() }
  }

  @Test(
    "a late observer gets the stream and its positions from then on", arguments: [22_050, 48_000])
  func joining(rate: Int) throws {
    let at = rate / 2 + 77
    let rig = try ObserverRig(sampleRate: rate, playing: [impulse(at: at, count: rate)])
    try rig.install()
    rig.tick(33)
    let log = FrameLog()
    let params = try AudioParams(sampleRate: 44_100, channelCount: 1, samplesPerCall: 1_000)
    let registration = try rig.add(log.request(params: [.record: params]))
    let delay = try #require(rig.hub.observationDelay(of: registration, at: rig.lanes[0].source))
    rig.tick(60)
    let first = try #require(log.frames.first).samplePosition
    #expect(first == rig.samples(inTicks: 33) * 44_100 / rate - delay)
    #expect(abs(first + Signals.peak(log.channel(0)) - at * 44_100 / rate) <= 1)
  }

  @Test(
    "after a pause a converted stream restarts without earlier samples",
    arguments: [22_050, 48_000])
  func pause(rate: Int) throws {
    let loud = [Float](repeating: 0.5, count: rate * 40 / 100)
    let later = impulse(at: rate / 10, count: rate * 60 / 100)
    let rig = try ObserverRig(sampleRate: rate, playing: [loud + later])
    let log = FrameLog()
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 1_024)
    let registration = try rig.add(log.request(params: [.record: params]))
    rig.tick(40)
    registration.mask = []
    rig.tick(1)
    registration.mask = .record
    let before = log.count
    rig.tick(59)
    let frames = Array(log.frames.dropFirst(before))
    let samples = frames.flatMap(\.samples)
    let first = try #require(frames.first).samplePosition
    let found = first + Signals.peak(samples)
    #expect(abs(found - (loud.count + rate / 10) * 16_000 / rate) <= 1)
    // The filter's own ringing where silence meets what came before the pause is all that may be left.
    let loudest = samples.prefix(found - first - 100).map { abs(Int($0)) }.max() ?? 0
    #expect(loudest < 12_000)
    #expect(samples.prefix(found - first - 100).filter { abs(Int($0)) > 200 }.count < 40)
    for (frame, next) in zip(frames, frames.dropFirst()) {
      #expect(next.samplePosition == frame.samplePosition + 1_024)
    }
  }

  @Test("a stream continues without a gap under jumped positions", arguments: [22_050, 48_000])
  func jump(rate: Int) throws {
    func samples(jumpingAt tick: Int?) throws -> FrameLog {
      let rig = try ObserverRig(sampleRate: rate, playing: [noise(rate, seed: 9)])
      let log = FrameLog()
      let params = try AudioParams(sampleRate: 16_000, channelCount: 1, samplesPerCall: 160)
      try rig.add(log.request(params: [.record: params]))
      for index in 0..<100 {
        if index == tick { rig.lanes[0].player.positionOffset = -rate }
        rig.tick()
      }
      return log
    }
    let straight = try samples(jumpingAt: nil)
    let jumping = try samples(jumpingAt: 50)
    #expect(jumping.channel(0) == straight.channel(0))
    for (frame, expected) in zip(jumping.frames, straight.frames) {
      let shift = frame.samplePosition - expected.samplePosition
      #expect(shift == (expected.samplePosition < 8_000 ? 0 : -16_000), "at \(expected.samplePosition)")
    }
  }
}

private final class Scribbler: AudioDataFrameObserver {
  func onRecordAudioFrame(_ frame: inout MutableAudioFrame) -> Bool {
    var samples = frame.samples
    for index in samples.indices { samples[index] = 12_345 }
    frame.mute()
    return false
  }
}
