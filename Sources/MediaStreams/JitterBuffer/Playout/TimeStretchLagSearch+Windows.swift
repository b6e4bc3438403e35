extension TimeStretchLagSearch {
  /// A window of samples, and others that are moved against it by one lag after another.
  ///
  /// The windows' power is updated from lag to lag: one sample more, one less. In double precision the remaining error
  /// is nothing, however loud the sound was before.
  struct Windows {
    private let samples: UnsafePointer<Float>
    private let reference: Int
    private let direction: Int
    private let count: Int
    private let referencePower: Float
    /// Power of the window at `lag`; the lag is below 0 before the first one.
    private var power = 0.0
    private var lag = -1

    /// Creates the windows.
    ///
    /// - Parameters:
    ///   - samples: the sound to search.
    ///   - reference: index of the reference window's first sample.
    ///   - direction: 1 if the others begin a lag later, -1 if they begin a lag earlier.
    ///   - count: samples of a window, a multiple of 8.
    @_noLocks
    init(_ samples: UnsafePointer<Float>, reference: Int, direction: Int, count: Int) {
      self.samples = samples
      self.reference = reference
      self.direction = direction
      self.count = count
      referencePower = Float(Windows.power(of: samples + reference, count: count))
    }

    /// Returns the square of the normalized correlation at a lag; 0 if one side is silent. Lags go up one by one.
    @_noLocks
    mutating func similarity(_ next: Int) -> Float {
      let begin = reference &+ direction &* next
      if lag < 0 {
        power = Windows.power(of: samples + begin, count: count)
      } else {
        let (more, less) = direction > 0 ? (begin &+ count &- 1, begin &- 1) : (begin, begin &+ count)
        power += Double(samples[more]) * Double(samples[more]) - Double(samples[less]) * Double(samples[less])
      }
      lag = next
      let together = Windows.product(samples + reference, samples + begin, count: count)
      let both = Float(power) * referencePower
      if both <= 1e-20 || together <= 0 { return 0 }
      return min(1, together * together / both)
    }

    @_noLocks
    private static func power(of samples: UnsafePointer<Float>, count: Int) -> Double {
      // Four sums, so that none waits for the one before it.
      var (first, second, third, fourth) = (0.0, 0.0, 0.0, 0.0)
      for block in 0..<(count / 4) {
        let four = samples + 4 &* block
        first += Double(four[0]) * Double(four[0])
        second += Double(four[1]) * Double(four[1])
        third += Double(four[2]) * Double(four[2])
        fourth += Double(four[3]) * Double(four[3])
      }
      return first + second + third + fourth
    }

    /// Returns the sum of products of two windows.
    @_noLocks
    private static func product(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int) -> Float {
      var sum = SIMD8<Float>(repeating: 0)
      let (rawA, rawB) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
      for block in 0..<(count / 8) {
        sum +=
          rawA.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self)
          * rawB.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self)
      }
      let four = sum.lowHalf + sum.highHalf
      let two = four.lowHalf + four.highHalf
      return two[0] + two[1]
    }
  }
}
