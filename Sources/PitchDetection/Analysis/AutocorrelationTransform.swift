import AudioGraph
internal import CFFTW

/// The sums of products of a real signal with itself, shifted, by two Fourier transforms.
///
/// This is the only file that uses FFTW, which is under the GPL.
struct AutocorrelationTransform: ~Copyable {
  /// Lock for planning and freeing plans, which are not thread-safe in FFTW; executing is.
  private static let planner = Guarded<Void>(())

  // SAFETY: made under the lock and used by the only owner of the plans' buffers.
  private struct Plans: @unchecked Sendable {
    /// Plan of the forward transform; nil if the C library is out of memory.
    let forward: fftwf_plan!
    let backward: fftwf_plan!
  }

  /// Samples of a transform: a product of small primes.
  let length: Int
  /// Shape: `length` values. Write the signal and its zeros here before `run`; afterwards it holds the sums, shift by
  /// shift, times `length`.
  let samples: UnsafeMutablePointer<Float>
  private let spectrum: UnsafeMutablePointer<fftwf_complex>
  private let forward: fftwf_plan
  private let backward: fftwf_plan

  /// - Parameter minimumLength: the signal's length + the largest shift.
  init(minimumLength: Int) {
    length = Self.length(from: minimumLength)
    let bins = length / 2 + 1
    let real = UnsafeMutableRawPointer.allocate(byteCount: 4 * length, alignment: 64)
    let complex = UnsafeMutableRawPointer.allocate(byteCount: 8 * bins, alignment: 64)
    samples = real.bindMemory(to: Float.self, capacity: length)
    spectrum = complex.bindMemory(to: fftwf_complex.self, capacity: bins)
    let (samples, spectrum, count) = (samples, spectrum, Int32(length))
    // Estimated plans are the same in every run, measured ones are not: results would differ in their last bits.
    let plans = Self.planner.withLock { _ in
      Plans(
        forward: fftwf_plan_dft_r2c_1d(count, samples, spectrum, FFTW_ESTIMATE),
        backward: fftwf_plan_dft_c2r_1d(count, spectrum, samples, FFTW_ESTIMATE))
    }
    forward = plans.forward
    backward = plans.backward
    samples.initialize(repeating: 0, count: length)
    spectrum.initialize(repeating: fftwf_complex(0, 0), count: bins)
  }

  deinit {
    let (forward, backward) = (self.forward, self.backward)
    Self.planner.withLock { _ in
      fftwf_destroy_plan(forward)
      fftwf_destroy_plan(backward)
    }
    samples.deallocate()
    spectrum.deallocate()
  }

  /// Replaces the signal in `samples` by its autocorrelation.
  @_noLocks
  func run() {
    let (forward, backward) = (self.forward, self.backward)
    // REALTIME: an executed plan of this size works in its buffers and on the stack, in time fixed by its length.
    _unsafePerformance { fftwf_execute(forward) }
    let bins = UnsafeMutableRawPointer(spectrum).assumingMemoryBound(to: Float.self)
    for bin in 0..<(length / 2 &+ 1) {
      let (re, im) = (bins[2 &* bin], bins[2 &* bin &+ 1])
      bins[2 &* bin] = re * re + im * im
      bins[2 &* bin &+ 1] = 0
    }
    // REALTIME: an executed plan of this size works in its buffers and on the stack, in time fixed by its length.
    _unsafePerformance { fftwf_execute(backward) }
  }

  /// Returns the least product of 2, 3 and 5 that is at least `minimum` and divisible by 16.
  static func length(from minimum: Int) -> Int {
    var length = (minimum + 15) / 16 * 16
    while true {
      var rest = length
      for prime in [2, 3, 5] { while rest % prime == 0 { rest /= prime } }
      if rest == 1 { return length }
      length += 16
    }
  }
}
