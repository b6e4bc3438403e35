import AudioGraph
import Effects
import Glibc
import GraphTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct GainNodeTests {
  @Test("at a volume of 100 every bit stays, in place and not", arguments: Signals.rates, [1, 2])
  func unityKeepsBits(rate: Int, channels: Int) throws {
    let odd: [Float] = [0, -0.0, 1, -1, .leastNormalMagnitude, 3e38, .infinity]
    let rest = rate / 10 - odd.count
    let input = (0..<channels).map { odd + Signals.noise(count: rest, amplitude: 1.5, seed: UInt64($0)) }
    for inPlace in [true, false] {
      let bench = try NodeBench(
        GainNode(channelCount: channels), input, sampleRate: rate, frames: 10, inPlace: inPlace)
      #expect(bench.output.bitPatterns == input.bitPatterns)
    }
  }

  @Test("a volume multiplies every sample by a hundredth of it", .shows("G1"), arguments: Signals.rates, [1, 2])
  func multiplies(rate: Int, channels: Int) throws {
    for percent in [0.0, 1, 33, 50, 150, 400] {
      let input = (0..<channels).map { Signals.noise(count: rate / 10, amplitude: 1, seed: UInt64($0)) }
      for inPlace in [true, false] {
        let bench = try NodeBench(
          GainNode(channelCount: channels, volume: Volume(percent)), input, sampleRate: rate, frames: 10,
          inPlace: inPlace)
        for (output, input) in zip(bench.output, input) {
          #expect(zip(output, input).allSatisfy { abs(Double($0) - Double($1) * percent / 100) < 1e-6 })
        }
        if !inPlace { #expect(bench.input.bitPatterns == input.bitPatterns) }
      }
    }
  }

  @Test("a level in dB multiplies by ten to a twentieth of it")
  func levels() throws {
    let input = [Signals.noise(count: 960, amplitude: 1, seed: 7)]
    for level in [-60.0, -6.0206, 0, 6.0206, 60, -Double.infinity] {
      let node = GainNode(channelCount: 1)
      try node.set(Decibels(level))
      let bench = try NodeBench(node, input, sampleRate: 48_000, frames: 2)
      let factor = pow(10, level / 20)
      let tolerance = 1e-6 * max(1, factor)
      #expect(zip(bench.output[0], input[0]).allSatisfy { abs(Double($0) - Double($1) * factor) <= tolerance })
    }
  }

  @Test("silence is marked at a volume of 0 until the volume comes back")
  func marksSilence() throws {
    let node = GainNode(channelCount: 1, volume: try Volume(0))
    let input = Signals.noise(count: 1_920, amplitude: 1, seed: 2)
    let bench = try NodeBench(node, [input], sampleRate: 48_000, frames: 4) {
      if $0 == 2 { node.set(.unchanged) }
    }
    #expect(bench.headers.map(\.isSilent) == [true, true, false, false])
    #expect(bench.output[0][..<960].allSatisfy { $0 == 0 })
  }

  @Test("a change is a straight line over one frame", arguments: Signals.rates)
  func rampIsLinear(rate: Int) throws {
    let count = rate / 100
    let node = GainNode(channelCount: 1)
    let bench = try NodeBench(node, [Array(repeating: 1, count: 4 * count)], sampleRate: rate, frames: 4) {
      if $0 == 1 { node.set(try Volume(400)) }
    }
    let output = bench.output[0]
    #expect(output[..<count].allSatisfy { $0 == 1 })
    for index in 0..<count {
      let expected = 1 + 3 * Double(index + 1) / Double(count)
      #expect(abs(Double(output[count + index]) - expected) < 1e-5)
    }
    #expect(output[(2 * count)...].allSatisfy { $0 == 4 })
  }

  @Test("no step exceeds the signal's own and the ramp's share", .shows("G3"), arguments: Signals.rates)
  func stepsAreBounded(rate: Int) throws {
    var generator = SeededGenerator(seed: UInt64(rate))
    let count = rate / 100
    let frames = 100
    let input = Signals.sine(count: frames * count, cyclesPerSample: 440 / Double(rate), amplitude: 0.9)
    let ownStep = zip(input, input.dropFirst()).map { abs($1 - $0) }.max()!
    let node = GainNode(channelCount: 1)
    var gains: [Float] = []
    let bench = try NodeBench(node, [input], sampleRate: rate, frames: frames) { _ in
      node.set(try Volume(Double.random(in: 0...400, using: &generator).rounded()))
      gains.append(node.linearGain)
    }
    for frame in 1..<frames {
      let change = abs(gains[frame] - gains[frame - 1])
      let bound = max(gains[frame], gains[frame - 1]) * ownStep + 0.9 * change / Float(count)
      for index in (frame * count)..<((frame + 1) * count) {
        let step = abs(bench.output[0][index] - bench.output[0][index - 1])
        #expect(step <= bound + 1e-5, "sample \(index), seed \(rate)")
      }
    }
  }

  @Test("values out of range are refused with the value in the sentence")
  func refuses() {
    #expect(throws: EffectParameterError.volume(401, allowed: Volume.range)) { try Volume(401) }
    #expect(throws: EffectParameterError.volume(-1, allowed: Volume.range)) { try Volume(-1) }
    #expect(throws: EffectParameterError.volume(101, allowed: Volume.attenuationRange)) {
      try Volume(101, in: Volume.attenuationRange)
    }
    #expect(throws: (any Error).self) { try Volume(.nan) }
    #expect(throws: EffectParameterError.level(61, maximum: 60)) { try GainNode(channelCount: 1).set(Decibels(61)) }
    #expect(throws: (any Error).self) { try GainNode(channelCount: 1).set(Decibels(.nan)) }
    #expect(EffectParameterError.volume(401, allowed: Volume.range).description.contains("401"))
  }
}
