/// The grains that are heard now or soon, in the order of their places.
///
/// Real-time: wait-free.
struct PSOLASynthesizer: ~Copyable {
  private let grains: UnsafeMutablePointer<Grain>
  /// Capacity, in grains. More never overlap: the longest tail is 15 ms, and the shortest distance of two pitch marks
  /// 0.5 ms.
  private let capacity = 40
  private(set) var count = 1

  init(place: Double) {
    grains = .allocate(capacity: capacity)
    grains.initialize(repeating: Grain(place: place), count: capacity)
  }

  deinit { grains.deallocate() }

  subscript(index: Int) -> Grain { @_noLocks get { grains[index] } }

  var last: Grain {
    @_noLocks get { grains[count &- 1] }
    @_noLocks set { grains[count &- 1] = newValue }
  }

  /// Whether the output equals the input.
  var isPlain: Bool {
    @_noLocks get {
      for index in 0..<count where !grains[index].isPlain { return false }
      return true
    }
  }

  /// Restarts with sound that passes unchanged.
  @_noLocks
  mutating func restart(at place: Double) {
    grains[0] = Grain(place: place)
    count = 1
  }

  /// Adds a grain, and forgets those that have been heard before `position`.
  @_noLocks
  mutating func append(_ grain: Grain, after position: Double) {
    var kept = 0
    for index in 0..<count where index == count &- 1 || grains[index].place + grains[index].fall > position {
      grains[kept] = grains[index]
      kept = kept &+ 1
    }
    if kept == capacity {
      for index in 1..<kept { grains[index &- 1] = grains[index] }
      kept = kept &- 1
    }
    grains[kept] = grain
    count = kept &+ 1
  }

  /// Returns the next middle of a grain behind `position`, or `end` if that is sooner.
  @_noLocks
  func nextPlace(after position: Double, before end: Double) -> Double {
    for index in 0..<count where grains[index].place > position { return min(end, grains[index].place) }
    return end
  }

  /// Moves a frame of `samples` samples into the past.
  @_noLocks
  mutating func pass(_ samples: Int) {
    for index in 0..<count { grains[index].place -= Double(samples) }
  }
}
