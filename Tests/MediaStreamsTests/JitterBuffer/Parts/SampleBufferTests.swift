import AudioGraph
import Glibc
import TestSupport
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct SampleBufferTests {
  private func held(_ buffer: borrowing SampleBuffer, _ channel: Int = 0) -> [Float] {
    Array(UnsafeBufferPointer(start: buffer.next(channel), count: buffer.held))
  }

  @Test("samples pass unchanged, and played ones remain behind them", arguments: [1, 2])
  func passes(channels: Int) {
    var random = SeededGenerator(seed: 3)
    var buffer = SampleBuffer(channelCount: channels, heldCount: 4_000)
    var all: [[Float]] = Array(repeating: [], count: channels)
    var consumed = 0
    for _ in 0..<500 {
      let count = Int.random(in: 0...min(900, buffer.room), using: &random)
      let block = (0..<(count * channels)).map { _ in Float.random(in: -1...1, using: &random) }
      buffer.append(interleaved: block, count: count)
      for channel in 0..<channels {
        all[channel] += stride(from: channel, to: block.count, by: channels).map { block[$0] }
      }
      let taken = Int.random(in: 0...buffer.held, using: &random)
      for channel in 0..<channels {
        let waiting = held(buffer, channel)
        #expect(waiting == Array(all[channel][consumed...]))
        let past = UnsafeBufferPointer(start: buffer.next(channel) - min(consumed, 2_048), count: min(consumed, 2_048))
        #expect(Array(past) == Array(all[channel][(consumed - min(consumed, 2_048))..<consumed]))
      }
      buffer.consume(taken)
      consumed += taken
    }
  }

  @Test("skipping or replaying whole periods of a sine changes only its length", arguments: [200, 600])
  func splices(period: Int) {
    func wave(_ index: Int) -> Float { Float(sin(2 * Double.pi * Double(index) / Double(period))) }
    for lag in [period, 2 * period] {
      for skips in [true, false] {
        var buffer = SampleBuffer(channelCount: 1, heldCount: 8_192)
        buffer.append(interleaved: (0..<5_000).map(wave), count: 5_000)
        buffer.consume(3_000)
        if skips { buffer.accelerate(lag, fade: 240) } else { buffer.expand(lag, fade: 240) }
        let count = buffer.held
        #expect(count == 2_000 + (skips ? -lag : lag))
        // The last samples that were played stay right before it, for whoever filters across the splice.
        let first = buffer.next(0)
        let isUnchanged = (-16..<count).allSatisfy { abs(first[$0] - wave(3_000 + $0)) < 1e-4 }
        #expect(isUnchanged)
      }
    }
  }

  @Test("a splice between unlike sounds is a fade without a step")
  func fades() {
    var buffer = SampleBuffer(channelCount: 1, heldCount: 8_192)
    buffer.append(interleaved: (0..<5_000).map { $0 < 3_500 ? 0.5 : -0.5 }, count: 5_000)
    buffer.consume(3_000)
    buffer.accelerate(700, fade: 240)
    let samples = held(buffer)
    let steps = zip(samples, samples.dropFirst()).map { abs($0 - $1) }
    #expect(steps.max()! <= 1.0 / 240 + 1e-4)
    #expect(samples[0] > 0.49 && samples[240] == -0.5)
  }

  @Test("more replays than the past is long do not read before its beginning")
  func manyReplays() {
    var buffer = SampleBuffer(channelCount: 2, heldCount: 20_000)
    buffer.append(interleaved: [Float](repeating: 0.25, count: 2_000), count: 1_000)
    for _ in 0..<20 { buffer.expand(700, fade: 240) }
    let samples = held(buffer, 1)
    #expect(samples.count == 15_000)
    #expect(samples.suffix(500).allSatisfy { $0 == 0.25 })
  }

  @Test(
    "replays continue to the buffer's capacity and keep waiting samples", .shows("receive: spikes"),
    arguments: [1, 2])
  func replaysToTheEnd(channelCount: Int) {
    var buffer = SampleBuffer(channelCount: channelCount, heldCount: 8_192)
    let ramp = (0..<8_000).flatMap { [Float](repeating: Float($0), count: channelCount) }
    buffer.append(interleaved: ramp, count: 8_000)
    buffer.consume(3_000)
    var expected = 5_000
    while buffer.room >= 400 {
      buffer.expand(400, fade: 240)
      expected += 400
    }
    for channel in 0..<channelCount {
      let samples = held(buffer, channel)
      #expect(samples.count == expected)
      #expect(expected > 13_000)
      // The fades are behind the first of them.
      let last: [Float] = (3_300..<8_000).map { Float($0) }
      #expect(Array(samples.suffix(4_700)) == last)
    }
  }

  @Test("new samples blend in from those before and end unchanged")
  func blends() {
    var buffer = SampleBuffer(channelCount: 1, heldCount: 8_192)
    buffer.append(interleaved: [Float](repeating: 1, count: 1_000), count: 1_000)
    buffer.append(interleaved: [Float](repeating: -1, count: 480), count: 480)
    buffer.blendNewest(480, lag: 300, fade: 240)
    let samples = held(buffer)
    #expect(samples[1_000] > 0.98 && samples[1_239] < -0.98 && samples[1_300] == -1)
    buffer.scale(from: 480, 480, Ramp(from: 1, to: 0))
    let last = held(buffer)[1_479]
    #expect(abs(last) < 1e-4)
    buffer.truncate(to: 100)
    let count = buffer.held
    #expect(count == 100)
  }
}
