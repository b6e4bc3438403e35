#if canImport(Glibc)
  import Glibc
#endif

/// Converts sound of any rate to 8 to 16 kHz, and limits it to the band of voice pitches.
///
/// A low-pass at 2.9 kHz keeps the harmonics that show the period and removes noise above them; only every D-th output
/// of it is computed. A high-pass at 50 Hz removes DC offset and rumble.
///
/// Source: Kaiser's windowed sinc (64 taps at 48 kHz, beta 5); Butterworth's high-pass of second order.
struct BandFilter: ~Copyable {
  /// Sample rate behind the filter, in Hz: 8000 up to, not including, 16000.
  let sampleRate: Double
  /// Delay of the low-pass, in seconds.
  let delaySeconds: Double
  /// Decimation factor: input samples for each output sample.
  private let step: Int
  private let tapCount: Int
  private let taps: UnsafeMutablePointer<Float>
  /// The last `tapCount - 1` samples of the past, then those of the frame.
  private let line: UnsafeMutablePointer<Float>
  private let capacity: Int
  /// Samples of the frame to skip before the next output.
  private var phase = 0
  private let highPass: (b0: Double, b1: Double, a1: Double, a2: Double)
  private var state1 = 0.0
  private var state2 = 0.0

  /// - Parameters:
  ///   - inputRate: sample rate of the input, in Hz.
  ///   - maximumCount: largest number of samples in one call.
  init(sampleRate inputRate: Int, maximumCount: Int) {
    step = inputRate / 8_000
    sampleRate = Double(inputRate) / Double(step)
    // Groups of four taps are multiplied at once.
    let count = max(8, (inputRate * 64 / 48_000 + 3) / 4 * 4)
    tapCount = count
    capacity = maximumCount
    delaySeconds = Double(count - 1) / 2 / Double(inputRate)
    taps = .allocate(capacity: count)
    line = .allocate(capacity: count + maximumCount)
    let half = Double(count - 1) / 2
    let values = (0..<count).map { tap in
      let time = Double(tap) - half
      let angle = 2 * Double.pi * 2_900 / Double(inputRate) * time
      let place = time / half
      return (angle == 0 ? 1 : sin(angle) / angle) * Self.besselI0(5 * max(0, 1 - place * place).squareRoot())
    }
    let sum = values.reduce(0, +)
    for tap in 0..<count { (taps + tap).initialize(to: Float(values[tap] / sum)) }
    let warped = tan(Double.pi * 50 / sampleRate)
    let norm = 1 / (1 + Double(2).squareRoot() * warped + warped * warped)
    highPass = (
      norm, -2 * norm, 2 * (warped * warped - 1) * norm,
      (1 - Double(2).squareRoot() * warped + warped * warped) * norm
    )
    line.initialize(repeating: 0, count: count + maximumCount)
  }

  deinit {
    taps.deallocate()
    line.deallocate()
  }

  /// Memory for the next call's samples; write up to `maximumCount` before `run`.
  var input: UnsafeMutablePointer<Float> { @_noLocks get { line + (tapCount &- 1) } }

  /// Filters the `count` samples in `input`.
  ///
  /// - Parameters:
  ///   - count: samples in `input`.
  ///   - output: memory for the filtered samples.
  /// - Returns: number of samples written to `output`.
  @_noLocks
  mutating func run(count: Int, to output: UnsafeMutablePointer<Float>) -> Int {
    precondition(count <= capacity, "the frame is longer than this rate's longest")
    var position = phase
    var given = 0
    while position < count {
      let low = Double(product(line + position))
      let high = highPass.b0 * low + state1
      state1 = highPass.b1 * low - highPass.a1 * high + state2
      state2 = highPass.b0 * low - highPass.a2 * high
      output[given] = Float(high)
      given = given &+ 1
      position = position &+ step
    }
    phase = position &- count
    for index in 0..<(tapCount &- 1) { line[index] = line[count &+ index] }
    // The remainder of a sound that ended long ago would become denormal.
    if state1.magnitude < 1e-30 { state1 = 0 }
    if state2.magnitude < 1e-30 { state2 = 0 }
    return given
  }

  mutating func reset() {
    for index in 0..<(tapCount + capacity) { line[index] = 0 }
    (phase, state1, state2) = (0, 0, 0)
  }

  @_noLocks @inline(__always)
  private func product(_ samples: UnsafeMutablePointer<Float>) -> Float {
    let signal = UnsafeRawPointer(samples)
    let weights = UnsafeRawPointer(taps)
    var sum = SIMD4<Float>(repeating: 0)
    var byte = 0
    while byte < 4 &* tapCount {
      sum +=
        signal.loadUnaligned(fromByteOffset: byte, as: SIMD4<Float>.self)
        * weights.loadUnaligned(fromByteOffset: byte, as: SIMD4<Float>.self)
      byte = byte &+ 16
    }
    return sum[0] + sum[1] + (sum[2] + sum[3])
  }

  private static func besselI0(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    for index in 1...30 {
      term *= (x / 2 / Double(index)) * (x / 2 / Double(index))
      sum += term
    }
    return sum
  }
}
