import AudioGraph
import Effects
import Glibc
import GraphTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PanNodeTests {
  private static let root = Double(2).squareRoot()
  private static let pans = [-1, -0.75, -0.5, -0.123, -1e-3, 0, 1e-3, 0.123, 0.5, 0.75, 1]

  @Test("mono follows the constant-power law", .shows("G2"), arguments: Signals.rates)
  func mono(rate: Int) throws {
    let input = Signals.noise(count: rate / 50, amplitude: 1, seed: 3)
    for pan in Self.pans {
      for gain in [0.0, 37, 100] {
        let node = PanNode(inputChannelCount: 1)
        try node.set(Panning(pan), gain: Volume(gain))
        let bench = try NodeBench(node, [input], sampleRate: rate, frames: 2)
        let left = Self.root * cos((pan + 1) * .pi / 4) * gain / 100
        let right = Self.root * sin((pan + 1) * .pi / 4) * gain / 100
        for index in input.indices {
          #expect(abs(Double(bench.output[0][index]) - left * Double(input[index])) < 1e-6)
          #expect(abs(Double(bench.output[1][index]) - right * Double(input[index])) < 1e-6)
        }
      }
    }
  }

  @Test("stereo folds the far channel into the near one, in place and not", .shows("G2"), arguments: Signals.rates)
  func stereo(rate: Int) throws {
    let input = [3, 4].map { Signals.noise(count: rate / 50, amplitude: 1, seed: $0) }
    for pan in Self.pans {
      let x = pan <= 0 ? pan + 1 : pan
      let gainL = cos(x * .pi / 2)
      let gainR = sin(x * .pi / 2)
      for inPlace in [true, false] {
        let node = PanNode(inputChannelCount: 2)
        try node.set(Panning(pan), gain: Volume(80))
        let bench = try NodeBench(node, input, sampleRate: rate, frames: 2, inPlace: inPlace)
        for index in input[0].indices {
          let (inL, inR) = (Double(input[0][index]), Double(input[1][index]))
          let outL = pan <= 0 ? inL + inR * gainL : inL * gainL
          let outR = pan <= 0 ? inR * gainR : inR + inL * gainR
          #expect(abs(Double(bench.output[0][index]) - 0.8 * outL) < 1e-6)
          #expect(abs(Double(bench.output[1][index]) - 0.8 * outR) < 1e-6)
        }
        if !inPlace { #expect(bench.input.bitPatterns == input.bitPatterns) }
      }
    }
  }

  @Test("in front every bit stays", .shows("G2"), arguments: Signals.rates, [1, 2])
  func centerKeepsBits(rate: Int, channels: Int) throws {
    let odd: [Float] = [0, -0.0, 1, -1, .leastNormalMagnitude, .infinity]
    let rest = rate / 10 - odd.count
    let input = (0..<channels).map { odd + Signals.noise(count: rest, amplitude: 1, seed: UInt64($0)) }
    for inPlace in [true, false] {
      let node = PanNode(inputChannelCount: channels)
      let bench = try NodeBench(node, input, sampleRate: rate, frames: 10, inPlace: inPlace)
      #expect(bench.output.bitPatterns == [input[0], input[channels - 1]].bitPatterns)
    }
  }

  @Test("at the ends the far ear hears nothing")
  func ends() throws {
    let input = Signals.noise(count: 480, amplitude: 1, seed: 9)
    for (pan, silent) in [(-1.0, 1), (1.0, 0)] {
      for channels in [[input], [input, input]] {
        let node = PanNode(inputChannelCount: channels.count)
        try node.set(Panning(pan))
        let bench = try NodeBench(node, channels, sampleRate: 48_000, frames: 1)
        #expect(bench.output[silent].allSatisfy { $0 == 0 })
      }
    }
  }

  @Test("pan and gain move together in a straight line over one frame", arguments: [1, 2])
  func ramp(channels: Int) throws {
    let node = PanNode(inputChannelCount: channels)
    let ones = [Float](repeating: 1, count: 1_920)
    let zeros = [Float](repeating: 0, count: 1_920)
    let input = channels == 1 ? [ones] : [ones, zeros]
    let bench = try NodeBench(node, input, sampleRate: 48_000, frames: 4) {
      if $0 == 1 { try node.set(Panning(0.5), gain: Volume(40)) }
    }
    let left = channels == 1 ? Self.root * cos(1.5 * .pi / 4) * 0.4 : cos(.pi / 4) * 0.4
    let right = channels == 1 ? Self.root * sin(1.5 * .pi / 4) * 0.4 : sin(.pi / 4) * 0.4
    let startRight = channels == 1 ? 1.0 : 0
    for index in 0..<480 {
      let at = Double(index + 1) / 480
      #expect(abs(Double(bench.output[0][480 + index]) - (1 + at * (left - 1))) < 1e-6)
      #expect(abs(Double(bench.output[1][480 + index]) - (startRight + at * (right - startRight))) < 1e-6)
    }
    #expect(bench.output[0][960...].allSatisfy { abs(Double($0) - left) < 1e-6 })
  }

  @Test("no step exceeds the signal's own and the ramp's share", .shows("G3"), arguments: Signals.rates)
  func stepsAreBounded(rate: Int) throws {
    var generator = SeededGenerator(seed: UInt64(rate))
    let count = rate / 100
    let input = Signals.sine(count: 100 * count, cyclesPerSample: 440 / Double(rate), amplitude: 0.9)
    let ownStep = Double(zip(input, input.dropFirst()).map { abs($1 - $0) }.max()!)
    let node = PanNode(inputChannelCount: 1)
    var gains: [[Double]] = []
    let bench = try NodeBench(node, [input], sampleRate: rate, frames: 100) { _ in
      let pan = Double.random(in: -1...1, using: &generator)
      let gain = Double.random(in: 0...100, using: &generator)
      try node.set(Panning(pan), gain: Volume(gain))
      let angle = (pan + 1) * .pi / 4
      gains.append([Self.root * cos(angle) * gain / 100, Self.root * sin(angle) * gain / 100])
    }
    for frame in 1..<100 {
      for channel in 0..<2 {
        let (before, after) = (gains[frame - 1][channel], gains[frame][channel])
        let bound = max(before, after) * ownStep + 0.9 * abs(after - before) / Double(count) + 1e-5
        for index in (frame * count)..<((frame + 1) * count) {
          let step = abs(bench.output[channel][index] - bench.output[channel][index - 1])
          #expect(Double(step) <= bound, "sample \(index), seed \(rate)")
        }
      }
    }
  }

  @Test("values out of range are refused with the value in the sentence")
  func refuses() throws {
    #expect(throws: EffectParameterError.panning(1.01)) { try Panning(1.01) }
    #expect(throws: (any Error).self) { try Panning(.nan) }
    let node = PanNode(inputChannelCount: 1)
    #expect(throws: EffectParameterError.volume(101, allowed: Volume.attenuationRange)) {
      try node.set(.center, gain: Volume(101))
    }
    #expect(EffectParameterError.panning(-2).description.contains("-2"))
  }
}
