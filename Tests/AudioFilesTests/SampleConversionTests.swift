import AudioFiles
import AudioGraph
import TestSupport
import Testing

/// Rounding, clipping and dither, seen through files.
@Suite(.timeLimit(.minutes(10))) struct SampleConversionTests {
  private let folder = ScratchFolder()

  private func stored(
    _ samples: [[Float]], _ sampleFormat: SampleFormat, seed: UInt64? = nil, start: DitherStart = .atOnce,
    block: Int = 4_999
  ) throws -> (values: [[Double]], clipped: Int) {
    let path = folder.file("a.wav")
    let format = try AudioFormat(sampleRate: 48_000, channelCount: samples.count)
    let writer = try WAVWriter(
      path: path, format: format,
      options: OutputOptions(sampleFormat: sampleFormat, ditherSeed: seed, ditherStart: start, overwrite: true))
    try Planes(samples).write(to: writer, block: block)
    try writer.finish()
    let scale = Double(sign: .plus, exponent: sampleFormat.bitDepth - 1, significand: 1)
    return (try Planes.read(path: path).channels.map { $0.map { Double($0) * scale } }, writer.clippedSamples)
  }

  @Test(
    "integers are rounded half to even, and clipped samples are counted",
    arguments: [SampleFormat.uint8, .int16, .int24, .int32], [1, 2, 5])
  func rounding(sampleFormat: SampleFormat, channels: Int) throws {
    let bits = sampleFormat.bitDepth
    let scale = Float(sign: .plus, exponent: bits - 1, significand: 1)
    let top = Double(scale) - 1
    var generator = SeededGenerator(seed: 9)
    var samples = (0..<3_000).map { _ in Float.random(in: -1.2...1.2, using: &generator) }
    let halves = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 63.5, -63.5].map { Float($0) / scale }
    samples += halves + [1, -1, 2, -2, 1e30, -1e30, .infinity, -.infinity]
    var expected: [Double] = []
    var clipped = 0
    for sample in samples {
      let rounded = (Double(sample) * Double(scale)).rounded(.toNearestOrEven)
      clipped += rounded > top || rounded < -Double(scale) ? 1 : 0
      expected.append(min(top, max(-Double(scale), rounded)))
    }
    let result = try stored([[Float]](repeating: samples, count: channels), sampleFormat)
    // Reading 32 bits back rounds once more.
    let seen = sampleFormat == .int32 ? expected.map { Double(Float($0)) } : expected
    for channel in 0..<channels { #expect(result.values[channel] == seen) }
    #expect(result.clipped == clipped * channels)
  }

  @Test("NaN is written as 0", arguments: [SampleFormat.uint8, .int16, .int24, .int32])
  func notANumber(sampleFormat: SampleFormat) throws {
    let result = try stored([[.nan, 0.5, -.nan]], sampleFormat)
    #expect(result.values[0][0] == 0 && result.values[0][2] == 0 && result.clipped == 0)
  }

  @Test("dither keeps the mean and gives a quarter LSB² of error power")
  func dither() throws {
    for level in [0.0, 0.25, 0.5, 0.81] as [Double] {
      let count = 80_000
      let sample = Float((100 + level) / 32_768)
      let values = try stored([[Float](repeating: sample, count: count)], .int16, seed: 42).values[0]
      let errors = values.map { $0 - Double(sample) * 32_768 }
      let mean = errors.reduce(0, +) / Double(count)
      let power = errors.reduce(0) { $0 + $1 * $1 } / Double(count)
      // Five standard errors of a mean with power 1/4, and of a power whose own spread is below 0.36.
      #expect(abs(mean) < 5 * 0.5 / Double(count).squareRoot(), "level \(level): mean \(mean)")
      #expect(abs(power - 0.25) < 5 * 0.36 / Double(count).squareRoot(), "level \(level): power \(power)")
      #expect(errors.allSatisfy { abs($0) <= 1.5 })
      for lag in [1, 2, 7, 8, 16, 255, 256] {
        let product = zip(errors, errors.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } / Double(count - lag)
        #expect(abs(product) < 5 * 0.25 / Double(count).squareRoot(), "level \(level): lag \(lag) \(product)")
      }
    }
  }

  @Test("dither depends on the seed and the channel, not on the calls' lengths")
  func seeds() throws {
    let silence = [[Float]](repeating: [Float](repeating: 0, count: 10_000), count: 2)
    let first = try stored(silence, .int16, seed: 1).values
    #expect(try stored(silence, .int16, seed: 1, block: 1).values == first)
    #expect(try stored(silence, .int16, seed: 1, block: 480).values == first)
    #expect(try stored(silence, .int16, seed: 2).values != first)
    #expect(first[0] != first[1])
    let products = zip(first[0], first[1]).map { $0 * $1 }
    #expect(abs(products.reduce(0, +)) < 5 * 0.25 * 100)
  }

  @Test(
    "dither can begin with the first sample that lies between two steps",
    arguments: [SampleFormat.uint8, .int16], [0, 1, 255, 256, 700])
  func firstInexact(sampleFormat: SampleFormat, first: Int) throws {
    let scale: Float = sampleFormat == .uint8 ? 128 : 32_768
    // Even steps: from those, half a step of noise rounds to the same side at every one.
    var planes = (0..<2).map { channel -> [Float] in
      (0..<2_000).map { index -> Float in
        let step = 2 * ((index * 7 + channel) % 101 - 50)
        return Float(step) / scale
      }
    }
    planes[1][first] += 0.25 / scale
    let undithered = try stored(planes, sampleFormat).values
    let values = try stored(planes, sampleFormat, seed: 1, start: .firstInexactSample).values
    let atOnce = try stored(planes, sampleFormat, seed: 1).values
    for (channel, plane) in values.enumerated() {
      #expect(Array(plane[..<first]) == Array(undithered[channel][..<first]))
      // From there on comes the noise that would have come from the beginning: on steps it is all that is added.
      let noise = zip(plane[first...], undithered[channel][first...]).map { $0 - $1 }
      let expected = zip(atOnce[channel], undithered[channel]).prefix(noise.count).map { $0 - $1 }
      for index in 1..<noise.count where index != first { #expect(noise[index] == expected[index]) }
      #expect(noise.contains { $0 != 0 })
    }
    for block in [1, 7, 480] {
      #expect(try stored(planes, sampleFormat, seed: 1, start: .firstInexactSample, block: block).values == values)
    }
  }
}
