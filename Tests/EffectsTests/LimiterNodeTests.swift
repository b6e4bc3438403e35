import AudioGraph
import Effects
import Glibc
import GraphTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct LimiterNodeTests {
  /// What the oracle may show: the documented -0.1 dBTP and its own error (0.04 dB between its points, 0.01 dB ripple).
  private static let allowed = -0.1 + 0.05
  private static let oracle = TruePeakOracle()

  @Test("a disarmed limiter is an exact delay of its latency, however loud", arguments: Signals.rates, [1, 2])
  func disarmed(rate: Int, channels: Int) throws {
    let input = (0..<channels).map { Signals.noise(count: rate / 10, amplitude: 4, seed: UInt64($0)) }
    for inPlace in [true, false] {
      let node = LimiterNode(channelCount: channels, sampleRate: rate, isArmed: false)
      let bench = try NodeBench(node, input, sampleRate: rate, frames: 11, inPlace: inPlace)
      let expected = Signals.delayed(input, by: node.latency, count: bench.output[0].count)
      #expect(bench.output.bitPatterns == expected.bitPatterns)
      #expect(bench.headers[0].samplePosition == -node.latency)
    }
  }

  @Test("an armed but idle limiter is the same exact delay", arguments: Signals.rates, [1, 2])
  func idle(rate: Int, channels: Int) throws {
    let bursts = (0..<channels).map { channel in
      // Quiet, then close to the threshold, then quiet: the measuring path comes and goes.
      Signals.noise(count: rate / 20, amplitude: 0.3, seed: UInt64(channel))
        + Signals.sine(count: rate / 20, cyclesPerSample: 0.05, amplitude: 0.92, phase: 0.3)
        .enumerated().map { $1 * Float(min(1, Double($0) / Double(rate / 100), 5 - Double($0) / Double(rate / 100))) }
        + Signals.noise(count: rate / 20, amplitude: 0.3, seed: UInt64(channel + 5))
    }
    for inPlace in [true, false] {
      let node = LimiterNode(channelCount: channels, sampleRate: rate, isArmed: true)
      let bench = try NodeBench(node, bursts, sampleRate: rate, frames: 16, inPlace: inPlace)
      let expected = Signals.delayed(bursts, by: node.latency, count: bench.output[0].count)
      #expect(bench.output.bitPatterns == expected.bitPatterns)
      #expect(node.limitedFrameCount == 0)
      #expect(node.smallestGain == Decibels(0))
    }
  }

  @Test("the latency is 16 samples and 2 ms, and an impulse measures it", arguments: Signals.rates, [true, false])
  func latency(rate: Int, isArmed: Bool) throws {
    var input = [Float](repeating: 0, count: rate / 25)
    input[rate / 100 + 17] = 4
    let node = LimiterNode(channelCount: 1, sampleRate: rate, isArmed: isArmed)
    #expect(node.latency == 16 + rate / 500)
    let bench = try NodeBench(node, [input], sampleRate: rate, frames: 4)
    let peak = bench.output[0].indices.max { abs(bench.output[0][$0]) < abs(bench.output[0][$1]) }
    #expect(peak == rate / 100 + 17 + node.latency)
  }

  @Test("sines of +12 dB stay below the ceiling", arguments: Signals.rates)
  func loudSines(rate: Int) throws {
    for frequency in [0.003, 0.01, 0.0499, 0.11, 0.2, 0.25, 0.31, 0.37, 0.4, 0.42] {
      let input = Signals.sine(count: rate / 10, cyclesPerSample: frequency, amplitude: 4, phase: .pi / 4)
      try check([input], rate: rate, "\(frequency) of the rate")
    }
  }

  @Test(
    "sound far above full scale comes out below the ceiling, never silent", .shows("G1"),
    arguments: [1e3, 1e5, 1e6, 3e6, 1e7, 1e8, 1e9, 1e12, 1e30, Double(Float.greatestFiniteMagnitude)])
  func farAbove(amplitude: Double) throws {
    let rate = 48_000
    let sine = Signals.sine(count: rate, cyclesPerSample: 0.01, amplitude: 1, phase: 0)
    let input = sine.map { $0 * Float(amplitude) }
    try check([input], rate: rate, "amplitude \(amplitude)")
    let node = LimiterNode(channelCount: 1, sampleRate: rate, isArmed: true)
    let bench = try NodeBench(node, [input], sampleRate: rate, frames: 100)
    // Each period after the attack: between 0.8 and the ceiling, as at 12 dB. What is cut to a square has more between
    // its samples.
    let lowest: Float = amplitude > 1e9 ? 0.6 : 0.8
    for start in stride(from: rate / 10, to: rate - rate / 10, by: rate / 100) {
      let peak = bench.output[0][start..<start + rate / 100].reduce(0) { max($0, abs($1)) }
      #expect(peak > lowest && peak < 1, "\(peak) at \(start)")
    }
  }

  @Test("infinite samples are cut and have no lasting effect")
  func infinite() throws {
    let rate = 48_000
    var input = Signals.sine(count: 2 * rate, cyclesPerSample: 0.01, amplitude: 0.5, phase: 0)
    for (index, value) in [Float.infinity, -.infinity, .greatestFiniteMagnitude].enumerated() {
      input[9_600 + 7 * index] = value
    }
    let node = LimiterNode(channelCount: 1, sampleRate: rate, isArmed: true)
    let bench = try NodeBench(node, [input], sampleRate: rate, frames: 200)
    #expect(bench.output[0].allSatisfy { abs($0) < 1 })
    // Released within a second and a half, to the bit.
    let end = Array(bench.output[0][(rate * 19 / 10)...])
    #expect(end == Array(input[(rate * 19 / 10 - node.latency)..<(2 * rate - node.latency)]))
  }

  @Test("a sine with peaks between its samples stays below the ceiling", arguments: Signals.rates)
  func peaksBetweenSamples(rate: Int) throws {
    // Samples of 0.99 at 45 degrees: the wave reaches 1.4, the samples never show it.
    let input = Signals.sine(
      count: rate / 10, cyclesPerSample: 0.25, amplitude: 0.99 * Double(2).squareRoot(), phase: .pi / 4)
    #expect(input.allSatisfy { abs($0) < 0.991 })
    try check([input], rate: rate, "a quarter of the rate")
  }

  @Test("bursts of noise, impulses and squares stay below the ceiling", arguments: Signals.rates, [1, 2])
  func bursts(rate: Int, channels: Int) throws {
    for seed in 1...3 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let input = (0..<channels).map { channel -> [Float] in
        var samples = Signals.noise(count: rate / 8, amplitude: 0.2, seed: UInt64(seed * 10 + channel))
        for _ in 0..<4 {
          let start = Int.random(in: 0..<(rate / 10), using: &generator)
          let burst = Signals.noise(
            count: Int.random(in: 1...(rate / 50), using: &generator), amplitude: 4,
            seed: UInt64(seed * 100 + channel))
          for (index, value) in burst.enumerated() { samples[start + index] = value }
          samples[Int.random(in: samples.indices, using: &generator)] = 3
        }
        return samples
      }
      try check(input, rate: rate, "noise, seed \(seed)")
    }
    let square = (0..<(rate / 10)).map { Float($0 / 20 % 2 == 0 ? 2 : -2) }
    try check(Array(repeating: square, count: channels), rate: rate, "square")
  }

  /// A sine at a quarter of the rate whose samples lie at 45 degrees: its peaks are 3.01 dB above every one of them.
  private static func betweenSamples(count: Int, truePeak decibels: Double) -> [Float] {
    Signals.sine(count: count, cyclesPerSample: 0.25, amplitude: pow(10, decibels / 20), phase: .pi / 4)
  }

  @Test("a sine is limited from -0.5 dBTP on, by its peaks between the samples", arguments: Signals.rates)
  func threshold(rate: Int) throws {
    // The meter misses a sine's peak by -0.07 to +0.2 dB: below -0.7 it is never limited, above -0.43 always.
    for (decibels, isLimited) in [(-0.75, false), (-0.4, true)] {
      let input = Self.betweenSamples(count: rate / 2, truePeak: decibels)
      #expect(20 * log10(input.map { Double(abs($0)) }.max()!) < -3)
      // Faded in: what begins at once has peaks of its own.
      let faded = input.indices.map { input[$0] * Float(min(1, Double($0) / Double(rate / 10))) }
      let node = LimiterNode(channelCount: 1, sampleRate: rate, isArmed: true)
      let output = try NodeBench(node, [faded], sampleRate: rate, frames: 50).output[0]
      #expect((node.limitedFrameCount > 0) == isLimited, "\(decibels) dBTP at \(rate) Hz")
      if !isLimited {
        #expect(output[node.latency...].elementsEqual(faded.prefix(output.count - node.latency)))
      }
    }
  }

  @Test("a steady sine comes out at -0.5 dBTP, by its closed form", arguments: Signals.rates)
  func level(rate: Int) throws {
    // As far off as the meter; what is far above comes out up to 0.72 dB lower.
    for (decibels, lowest) in [(0.0, -0.7), (0.5, -0.7), (12, -1.3)] {
      let input = Self.betweenSamples(count: rate, truePeak: decibels)
      let node = LimiterNode(channelCount: 1, sampleRate: rate, isArmed: true)
      let output = try NodeBench(node, [input], sampleRate: rate, frames: 100).output[0]
      // Two samples in a row are the sine and the cosine of its phase: together they give its amplitude.
      let tail = output.suffix(rate / 2)
      let peak = zip(tail, tail.dropFirst()).map { Double($0 * $0 + $1 * $1).squareRoot() }.max()!
      let level = 20 * log10(peak)
      #expect(level > lowest && level < -0.43, "\(level) dBTP of \(decibels) at \(rate) Hz")
    }
  }

  @Test(
    "ffmpeg finds limited sound at its documented level",
    .enabled(if: access("/usr/bin/ffmpeg", X_OK) == 0, "there is no ffmpeg"))
  func secondOracle() throws {
    let rate = 48_000
    let sine = Self.betweenSamples(count: rate, truePeak: 6)
    let noise = Signals.noise(count: rate, amplitude: 4, seed: 5)
    // ffmpeg rounds to 0.1 dB, and misses up to 0.2 dB between its points.
    for (input, range) in [(sine, -0.75 ... -0.35), (noise, -3 ... -0.1)] {
      let node = LimiterNode(channelCount: 1, sampleRate: rate, isArmed: true)
      let output = try NodeBench(node, [input], sampleRate: rate, frames: 100).output[0]
      let peak = try #require(try ffmpegTruePeak(Array(output.suffix(rate / 2)), rate: rate))
      #expect(range.contains(peak), "\(peak) dBTP")
    }
  }

  /// The true peak by ffmpeg's ebur128, in dBTP.
  private func ffmpegTruePeak(_ samples: [Float], rate: Int) throws -> Double? {
    let input = try #require(tmpfile())
    defer { fclose(input) }
    try #require(fwrite(samples, 4, samples.count, input) == samples.count && fflush(input) == 0)
    let source = "/proc/\(getpid())/fd/\(fileno(input))"
    let line = "/usr/bin/ffmpeg -hide_banner -nostats -f f32le -ar \(rate) -ac 1 -i \(source) -af ebur128=peak=true"
    let output = try #require(popen("\(line) -f null - </dev/null 2>&1", "r"))
    var text: [UInt8] = []
    while case let byte = fgetc(output), byte >= 0 { text.append(UInt8(byte)) }
    pclose(output)
    let found = String(decoding: text, as: UTF8.self).split(separator: "\n").last { $0.contains(" Peak:") }
    return found?.split(separator: " ").compactMap { Double($0) }.first
  }

  private func check(_ input: [[Float]], rate: Int, _ what: String) throws {
    let node = LimiterNode(channelCount: input.count, sampleRate: rate, isArmed: true)
    let bench = try NodeBench(node, input, sampleRate: rate, frames: input[0].count * 100 / rate + 2)
    for channel in bench.output {
      let peak = Self.oracle.decibels(channel)
      #expect(peak <= Self.allowed, "\(what) at \(rate) Hz")
      // It must not earn that by being far too quiet.
      #expect(peak >= -3 || input.count > 1, "\(what) at \(rate) Hz")
    }
    #expect(node.limitedFrameCount > 0)
    #expect(node.smallestGain.value < -0.1)
  }

  @Test("both channels get the same gain", arguments: Signals.rates)
  func linked(rate: Int) throws {
    let loud = Signals.sine(count: rate / 10, cyclesPerSample: 0.02, amplitude: 4)
    let quiet = loud.map { $0 / 64 }
    let node = LimiterNode(channelCount: 2, sampleRate: rate, isArmed: true)
    let bench = try NodeBench(node, [loud, quiet], sampleRate: rate, frames: 10)
    // A power of two between them: the same gain rounds to the same bits.
    #expect(bench.output[1] == bench.output[0].map { $0 / 64 })
  }

  @Test("the gain falls and rises smoothly, and comes back to exactly 1", arguments: Signals.rates)
  func returnsToUnity(rate: Int) throws {
    var input = [Float](repeating: 0.125, count: 3 * rate / 2)
    input[rate / 20] = 4
    let node = LimiterNode(channelCount: 1, sampleRate: rate, isArmed: true)
    let bench = try NodeBench(node, [input], sampleRate: rate, frames: 150)
    let spike = rate / 20 + node.latency
    let gains = bench.output[0].indices.map { $0 == spike || $0 < node.latency ? 1 : bench.output[0][$0] / 0.125 }
    let fallLength = Double(node.latency - 16)
    for index in (node.latency + 1)..<gains.count where abs(index - spike) > 1 {
      // Two boxes make two parabolas, at most twice as steep as a straight line; the fall is 0.78.
      #expect(Double(abs(gains[index] - gains[index - 1])) <= 2 * 0.8 / fallLength + 1e-6)
    }
    #expect(gains[..<(spike - node.latency)].allSatisfy { $0 == 1 })
    #expect(gains[spike + 1] < 0.25)
    #expect(gains[spike + rate / 50] > gains[spike + 1])
    #expect(abs(gains[spike + Int(0.09 * Double(rate)) + Int(fallLength / 2)] - (1 - 0.76 / Float(M_E))) < 0.03)
    #expect(gains[(gains.count - rate / 10)...].allSatisfy { $0 == 1 })
    #expect(node.gain == Decibels(0))
  }

  @Test("the shown gain returns to 0 dB after release, also for a loud signal")
  func showsGain() throws {
    var input = Signals.sine(count: 96_000, cyclesPerSample: 0.01, amplitude: 0.9)
    input[2_000] = 4
    let node = LimiterNode(channelCount: 1, sampleRate: 48_000, isArmed: true)
    _ = try NodeBench(node, [input], sampleRate: 48_000, frames: 200) {
      if $0 == 6 { #expect(node.gain < Decibels(-6)) }
    }
    #expect(node.gain == Decibels(0))
    #expect(node.smallestGain < Decibels(-12))
    #expect((5..<190).contains(node.limitedFrameCount))
  }

  @Test("a disarmed limiter releases smoothly, and rearmed it acts at once")
  func disarmsSmoothly() throws {
    let rate = 48_000
    let input = Signals.sine(count: 2 * rate, cyclesPerSample: 0.01, amplitude: 2)
    let node = LimiterNode(channelCount: 1, sampleRate: rate, isArmed: true)
    let bench = try NodeBench(node, [input], sampleRate: rate, frames: 200) {
      if $0 == 10 { node.isArmed = false }
      if $0 == 150 { node.isArmed = true }
    }
    let output = bench.output[0]
    let ownStep = 2 * 2 * Float(sin(Double.pi * 0.01))
    #expect(zip(output, output.dropFirst()).allSatisfy { abs($1 - $0) <= ownStep + 0.04 })
    #expect(output[(140 * 480)..<(149 * 480)].contains { abs($0) > 1.99 })
    #expect(Self.oracle.decibels(Array(output[(151 * 480)..<(170 * 480)])) <= Self.allowed)
  }

  @Test("an infinite sample or NaN does not stop the limiter and does not stay")
  func survivesNonFinite() throws {
    var input = [Float](repeating: 0.25, count: 96_000)
    input[1_000] = .infinity
    input[3_000] = .nan
    let node = LimiterNode(channelCount: 1, sampleRate: 48_000, isArmed: true)
    let bench = try NodeBench(node, [input], sampleRate: 48_000, frames: 200)
    #expect(bench.output[0][90_000...].allSatisfy { $0 == 0.25 })
  }

  @Test("a steady tone keeps its shape: distortion is below -60 dB", arguments: [50.0, 100, 440, 1_000])
  func keepsShape(hertz: Double) throws {
    let input = Signals.sine(count: 48_000, cyclesPerSample: hertz / 48_000, amplitude: 4)
    let node = LimiterNode(channelCount: 1, sampleRate: 48_000, isArmed: true)
    let tail = try NodeBench(node, [input], sampleRate: 48_000, frames: 100).output[0].suffix(24_000).map(Double.init)
    var (inPhase, quadrature, power) = (0.0, 0.0, 0.0)
    for (index, value) in tail.enumerated() {
      inPhase += value * cos(2 * Double.pi * hertz * Double(index) / 48_000) * 2 / 24_000
      quadrature += value * sin(2 * Double.pi * hertz * Double(index) / 48_000) * 2 / 24_000
      power += value * value / 24_000
    }
    let tone = (inPhase * inPhase + quadrature * quadrature) / 2
    #expect(10 * log10(max(1e-12, power - tone) / tone) < -60)
  }
}
