import LockFree

#if canImport(Glibc)
  import Glibc
#endif

/// The newest frame and the past that a splice may read, in full and decimated for the coarse search.
///
/// Shape: `SlidingPlanes`. Positions count from the plane's beginning; after a frame everything moves to the front by
/// its length.
package struct SampleHistory: ~Copyable {
  /// Samples of the past.
  package let length: Int
  package let channelCount: Int
  /// Samples per decimated sample.
  package let decimation: Int
  /// Position of the next decimated sample; those before it lie `decimation` samples apart.
  package private(set) var nextThin: Int
  private let thinLength: Int
  private var planes: SlidingPlanes
  private let thinPlanes: UnsafeMutablePointer<Float>
  private let lowPass: UnsafeMutablePointer<Float>
  private let halfWidth: Int

  /// Creates a history with a silent past.
  package init(reach: Int, decimation: Int, channelCount: Int, maximumCount: Int) {
    self.channelCount = channelCount
    self.decimation = decimation
    length = (reach + 15) / 16 * 16
    thinLength = length / decimation
    halfWidth = decimation == 1 ? 0 : 4 * decimation
    planes = SlidingPlanes(length: length, channelCount: channelCount, maximumCount: maximumCount)
    let thinStride = thinLength + maximumCount / decimation + 2
    thinPlanes = .allocate(capacity: thinStride * channelCount)
    thinPlanes.initialize(repeating: 0, count: thinStride * channelCount)
    self.thinStride = thinStride
    nextThin = length - halfWidth
    lowPass = .allocate(capacity: 2 * halfWidth + 8)
    lowPass.initialize(repeating: 0, count: 2 * halfWidth + 8)
    var sum = 0.0
    let taps = (-halfWidth...halfWidth).map { tap in
      let time = 0.9 * Double(tap) / Double(decimation)
      let window = 0.5 + 0.5 * cos(Double.pi * Double(tap) / Double(halfWidth + 1))
      let value = window * (tap == 0 ? 1 : sin(Double.pi * time) / (Double.pi * time))
      sum += value
      return value
    }
    for (index, tap) in taps.enumerated() { lowPass[index] = Float(tap / sum) }
  }

  private let thinStride: Int

  deinit {
    thinPlanes.deallocate()
    lowPass.deallocate()
  }

  /// Returns all samples of a channel.
  @_noLocks
  package func plane(_ channel: Int) -> UnsafeMutablePointer<Float> { planes.plane(channel) }

  /// Returns the decimated samples of a channel; the last of the past is the one before index `thinCount`.
  @_noLocks
  package func thinPlane(_ channel: Int) -> UnsafeMutablePointer<Float> { thinPlanes + channel &* thinStride }

  /// Decimated samples of the past.
  package var thinCount: Int { @_noLocks get { thinLength } }

  /// Appends the newest `count` samples of every channel to the past; NaN and infinity become 0.
  ///
  /// Shape: planes of samples, `stride` samples from one channel to the next.
  @_noLocks
  package func take(_ samples: UnsafePointer<Float>, stride: Int, count: Int) {
    for channel in 0..<channelCount {
      let target = plane(channel) + length
      copySamples(from: samples + channel &* stride, to: target, count: count)
      if !(PeakScan.magnitude(target, count: count) < .infinity) || hasNaN(target, count: count) {
        for index in 0..<count where !(target[index].magnitude < .infinity) { target[index] = 0 }
      }
    }
  }

  /// Notes the silence of a frame of `count` samples after `take`.
  ///
  /// - Returns: Whether the frame and the whole past are zeros.
  @_noLocks @discardableResult
  package mutating func noteSilence(count: Int) -> Bool { planes.noteSilence(count: count) }

  /// Decimates the new samples of a frame of `count` samples.
  @_noLocks
  package mutating func thin(count: Int) {
    var added = 0
    while nextThin &+ halfWidth < length &+ count {
      for channel in 0..<channelCount {
        thinPlane(channel)[thinLength &+ added] = filtered(plane(channel) + (nextThin &- halfWidth))
      }
      added = added &+ 1
      nextThin = nextThin &+ decimation
    }
    guard added > 0 else { return }
    for channel in 0..<channelCount {
      moveSamples(from: thinPlane(channel) + added, to: thinPlane(channel), count: thinLength)
    }
  }

  /// Decimates the whole past again, after frames without a call of `thin`.
  @_noLocks
  package mutating func thinAll() {
    nextThin = length &- halfWidth
    for channel in 0..<channelCount {
      for index in 0..<thinLength {
        let centre = nextThin &- (thinLength &- index) &* decimation
        let first = centre &- halfWidth
        thinPlane(channel)[index] = first < 0 ? 0 : filtered(plane(channel) + first)
      }
    }
  }

  /// Makes a frame of `count` samples part of the past.
  @_noLocks
  package mutating func pass(count: Int) {
    planes.pass(count: count)
    nextThin = nextThin &- count
  }

  @_noLocks
  private func filtered(_ samples: UnsafePointer<Float>) -> Float {
    if halfWidth == 0 { return samples[0] }
    let raw = UnsafeRawPointer(samples)
    let taps = UnsafeRawPointer(lowPass)
    var sum = SIMD8<Float>(repeating: 0)
    // 2 x 4 x decimation is a multiple of 8; the remaining tap follows.
    for block in 0..<(halfWidth / 4) {
      sum +=
        raw.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self)
        * taps.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self)
    }
    return sum.total + samples[2 &* halfWidth] * lowPass[2 &* halfWidth]
  }

  /// Returns whether a sample is not a number: only then a sum of products with 0 is not 0.
  @_noLocks
  private func hasNaN(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
    let raw = UnsafeRawPointer(samples)
    var sum = SIMD8<Float>(repeating: 0)
    for block in 0..<(count / 8) {
      sum += raw.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD8<Float>.self) * 0
    }
    var rest: Float = 0
    for index in (count / 8 &* 8)..<count { rest += samples[index] * 0 }
    return !(sum.total + rest == 0)
  }
}
