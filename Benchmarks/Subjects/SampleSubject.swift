import AudioGraph
import BenchmarkTwins

/// Conversion between 16 bits and floats, and between planes and interleaved samples, beside C loops.
enum SampleSubject {
  private static let count = 480

  static func run(_ bench: Bench) throws {
    let format = try AudioFormat(sampleRate: 48_000, channelCount: 2)
    let memory = FrameMemory(count: 2, format: format)
    let (frame, other) = (memory[0], memory[1])
    var signal = Signal(seed: 1)
    for index in 0..<count {
      frame.channel(0)[index] = signal.noise() * 1.1
      frame.channel(1)[index] = signal.noise() * 1.1
    }
    let (left, right) = (frame.channel(0), frame.channel(1))
    let integers = UnsafeMutablePointer<Int16>.allocate(capacity: 2 * count)
    let twinIntegers = UnsafeMutablePointer<Int16>.allocate(capacity: 2 * count)
    let floats = UnsafeMutablePointer<Float>.allocate(capacity: 2 * count)
    let twinFloats = UnsafeMutablePointer<Float>.allocate(capacity: 2 * count)
    defer {
      integers.deallocate()
      twinIntegers.deallocate()
      floats.deallocate()
      twinFloats.deallocate()
    }

    SampleConversion.toInt16(left, integers, count: count)
    twin_to_int16(left, twinIntegers, count)
    try bench.check((0..<count).allSatisfy { integers[$0] == twinIntegers[$0] }, "16-bit samples differ from C's")
    bench.compare(
      "float to 16 bits, 480 samples", to: "C loop", turns: 1_000, iterations: 200,
      ours: { for _ in 0..<$0 { SampleConversion.toInt16(left, integers, count: count) } },
      twin: { for _ in 0..<$0 { twin_to_int16(left, twinIntegers, count) } })

    SampleConversion.toFloat(integers, floats, count: count)
    twin_to_float(integers, twinFloats, count)
    try bench.check((0..<count).allSatisfy { floats[$0] == twinFloats[$0] }, "floats differ from C's")
    bench.compare(
      "16 bits to float, 480 samples", to: "C loop", turns: 1_000, iterations: 200,
      ours: { for _ in 0..<$0 { SampleConversion.toFloat(integers, floats, count: count) } },
      twin: { for _ in 0..<$0 { twin_to_float(integers, twinFloats, count) } })

    Interleaving.interleave(frame, floats)
    twin_interleave(left, right, twinFloats, count)
    try bench.check((0..<2 * count).allSatisfy { floats[$0] == twinFloats[$0] }, "interleaved samples differ")
    bench.compare(
      "interleave stereo, 480 samples", to: "C loop", turns: 1_000, iterations: 200,
      ours: { for _ in 0..<$0 { Interleaving.interleave(frame, floats) } },
      twin: { for _ in 0..<$0 { twin_interleave(left, right, twinFloats, count) } })

    Interleaving.deinterleave(floats, other)
    try bench.check((0..<count).allSatisfy { other.channel(1)[$0] == right[$0] }, "planes differ")
    bench.compare(
      "deinterleave stereo, 480 samples", to: "C loop", turns: 1_000, iterations: 200,
      ours: { for _ in 0..<$0 { Interleaving.deinterleave(floats, other) } },
      twin: { for _ in 0..<$0 { twin_deinterleave(floats, left, right, count) } })
  }
}
