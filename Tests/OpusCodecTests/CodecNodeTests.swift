import AudioGraph
import Glibc
import GraphTestSupport
import OpusCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct CodecNodeTests {
  struct Setting: CustomStringConvertible, Sendable {
    let application: OpusOptions.Application
    let duration: OpusOptions.PacketDuration
    let bitrate: Int
    let channels: Int
    var description: String { "\(application) \(duration.rawValue) ms \(bitrate) bit/s, \(channels) channels" }
    var options: OpusOptions {
      OpusOptions(bitrate: bitrate, complexity: 5, packetDuration: duration, application: application)
    }

    static let all = OpusOptions.Application.allCases.flatMap { application in
      OpusOptions.PacketDuration.allCases.flatMap { duration in
        [(24_000, 1), (64_000, 1), (96_000, 2)].map {
          Setting(application: application, duration: duration, bitrate: $0.0, channels: $0.1)
        }
      }
    }
  }

  /// Samples and headers that come out of `node` for the whole frames of `channels`.
  private func run(_ node: CodecNode, _ channels: [[Float]]) throws -> NodeBench {
    try NodeBench(node, channels, sampleRate: 48_000, frames: channels[0].count / 480)
  }

  @Test("sound far above full scale stays loud", arguments: [1e3, 1e5, 1e8, 1e30] as [Float])
  func farTooLoud(amplitude: Float) throws {
    let tone = (0..<24_000).map { amplitude * sinf(2 * .pi * 220 * Float($0) / 48_000) }
    let bench = try run(try CodecNode(channelCount: 1), [tone])
    let loudest = bench.output[0].map(\.magnitude).max()!
    #expect(loudest > 0.5 && loudest < 2_000)
  }

  @Test("the output lags by the declared latency, within a sample", arguments: Setting.all)
  func latency(setting: Setting) throws {
    let node = try CodecNode(channelCount: setting.channels, options: setting.options)
    #expect(node.preSkip == (setting.application == .lowDelay ? 120 : 312))
    #expect(node.latency == node.preSkip + 2 + (setting.duration == .milliseconds20 ? 480 : 0))
    // The voip mode's high-pass filter bends phases up to some hundred Hz and so moves the maximum by up to six
    // samples, which is no delay. Second differences show what lies above, where the bitrate is spent on it.
    let isVoip = setting.application == .voip
    if isVoip && setting.bitrate < 64_000 { return }
    let voice = VoiceLikeSignal.make(seconds: 1)
    let bench = try run(node, Array(repeating: voice, count: setting.channels))
    for channel in bench.output {
      let (lag, resemblance) = VoiceLikeSignal.lag(
        of: isVoip ? secondDifference(channel) : channel, behind: isVoip ? secondDifference(voice) : voice,
        in: (node.latency - 40)...(node.latency + 40))
      #expect(abs(lag - node.latency) <= 1)
      #expect(resemblance > (isVoip ? 0.25 : 0.95))
    }
  }

  private func secondDifference(_ samples: [Float]) -> [Float] {
    samples.indices.dropLast(2).map { samples[$0] - 2 * samples[$0 + 1] + samples[$0 + 2] }
  }

  @Test("at a high bitrate the sound is the same to 20 dB", arguments: OpusOptions.PacketDuration.allCases, [1, 2])
  func fidelity(duration: OpusOptions.PacketDuration, channels: Int) throws {
    let options = OpusOptions(bitrate: 128_000 * channels, packetDuration: duration, application: .audio)
    let node = try CodecNode(channelCount: channels, options: options)
    let voices = (0..<channels).map { VoiceLikeSignal.make(seconds: 1, seed: UInt64($0 + 1)).map { $0 * 0.8 } }
    let bench = try run(node, voices)
    for (output, voice) in zip(bench.output, voices) {
      var (signal, noise) = (0.0, 0.0)
      for index in 4_800..<output.count {
        let expected = Double(voice[index - node.latency])
        signal += expected * expected
        noise += (Double(output[index]) - expected) * (Double(output[index]) - expected)
      }
      #expect(10 * log10(signal / noise) > 20)
    }
  }

  @Test("the channels of a stereo stream stay apart")
  func channelsStayApart() throws {
    let voice = VoiceLikeSignal.make(seconds: 1)
    let node = try CodecNode(
      channelCount: 2, options: OpusOptions(bitrate: 128_000, packetDuration: .milliseconds10, application: .audio))
    let bench = try run(node, [voice, Array(repeating: 0, count: voice.count)])
    let powers = bench.output.map { $0.reduce(0) { $0 + Double($1) * Double($1) } }
    #expect(powers[1] < powers[0] / 1_000)
  }

  @Test("packets match the sound's duration and the bitrate", arguments: Setting.all)
  func packetSizes(setting: Setting) throws {
    let node = try CodecNode(channelCount: setting.channels, options: setting.options)
    let voice = VoiceLikeSignal.make(seconds: 2)
    _ = try run(node, Array(repeating: voice, count: setting.channels))
    #expect(node.packetCount == 200 / setting.duration.frameCount)
    #expect(node.packetByteCount == node.payloadByteCount + 12 * node.packetCount)
    #expect(node.failureCount == 0)
    let bitrate = Double(node.payloadByteCount) * 8 / 2
    #expect(bitrate > 0.5 * Double(setting.bitrate) && bitrate < 1.25 * Double(setting.bitrate))
  }

  @Test("frames name their provenance and the timestamp of their packet", .shows("F13"))
  func headers() throws {
    let voice = VoiceLikeSignal.make(seconds: 0.1)
    let long = try CodecNode(channelCount: 1, options: OpusOptions(packetDuration: .milliseconds20))
    let headers = try run(long, [voice]).headers
    #expect(headers.map(\.provenance) == [.silence] + Array(repeating: .decoded, count: 9))
    #expect(headers.map(\.rtpTimestamp) == [nil, 0, 0, 960, 960, 1_920, 1_920, 2_880, 2_880, 3_840])
    #expect(headers[0].isSilent)
    #expect(headers.map(\.samplePosition) == (0..<10).map { $0 * 480 - long.latency })
    let short = try CodecNode(channelCount: 1, options: OpusOptions(packetDuration: .milliseconds10))
    #expect(try run(short, [voice]).headers.map(\.rtpTimestamp) == (0..<10).map { UInt32($0 * 480) })
  }

  @Test("the same input gives the same bits")
  func repeats() throws {
    let voice = VoiceLikeSignal.make(seconds: 0.5)
    let runs = try (0..<2).map { _ in
      try run(try CodecNode(channelCount: 1), [voice]).output[0].map(\.bitPattern)
    }
    #expect(runs[0] == runs[1])
  }

  @Test("a node refuses more than two channels")
  func refuses() {
    #expect(throws: EngineError.self) { try CodecNode(channelCount: 3) }
    #expect(throws: EngineError.self) { try CodecNode(channelCount: 0) }
  }
}
