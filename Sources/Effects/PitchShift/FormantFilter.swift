import AudioGraph

/// Takes the envelope of a voice's spectrum off before its pitch is changed, and puts it on again afterwards.
///
///     voice ▶ 1 + a1/z + ... ▶ (flat) ▶ shift ▶ 1 / (1 + a1/z + ...), as it was where is read ▶ voice
///
/// The filter moves in quarters of a frame, by reflection coefficients, which keep it stable on the way, the sooner the
/// louder the voice becomes: one drawn of silence leaves a word that begins hardly flat, and the next one rings with
/// it. Without a shift the two cancel each other out.
///
/// Taps are in single precision, rounded once for both ways: the predictor's noise keeps every resonance farther from
/// ringing for ever than that could move it.
struct FormantFilter: ~Copyable {
  /// Filters per frame.
  private let parts = LinearPredictor.filterCount

  private let predictor: LinearPredictor
  let order: Int
  private let channelCount: Int
  private let length: Int
  /// The flat voice: planes as those of the history.
  private var flat: SlidingPlanes
  /// What came out, `order` samples of each channel before the frame; behind what is known so far of the frame, zeros.
  private let past: UnsafeMutablePointer<Float>
  private let pastStride: Int
  /// The newest filters in a ring, and where each begins to count, as a position in the history, the oldest first.
  private let filters: UnsafeMutablePointer<Float>
  private let starts: UnsafeMutablePointer<Int>
  private let filterCount: Int
  /// Of a filter: its taps, that of the oldest sample first, from `responsePlace` on zeros, and then what it answers to
  /// a 1.
  private let filterStride: Int
  let responsePlace: Int
  /// The voice's peaks at the places of `starts`: what is coloured may be little louder. A filter that meets what
  /// another has left, as where a consonant bursts out of silence, would ring far above it.
  private let peaks: UnsafeMutablePointer<Float>
  /// Place in the ring of the oldest filter.
  private var oldest = 0
  private let reflections: UnsafeMutablePointer<Double>
  private let newest: UnsafeMutablePointer<Double>
  /// Of what the newest were drawn from.
  private var energy = 0.0

  init(channelCount: Int, sampleRate: Int, history: borrowing SpliceHistory) {
    predictor = LinearPredictor(sampleRate: sampleRate)
    order = predictor.order
    self.channelCount = channelCount
    length = history.length
    let maximum = FrameSchedule(sampleRate: sampleRate).maximumSamplesPerChannel
    flat = SlidingPlanes(length: length, channelCount: channelCount, maximumCount: maximum)
    pastStride = order + maximum + 8
    past = .allocate(capacity: pastStride * channelCount)
    past.initialize(repeating: 0, count: pastStride * channelCount)
    filterCount = parts * (length / max(1, maximum - 1) + 2)
    responsePlace = order
    filterStride = order + 16
    filters = .allocate(capacity: filterCount * filterStride)
    filters.initialize(repeating: 0, count: filterCount * filterStride)
    starts = .allocate(capacity: filterCount)
    starts.initialize(repeating: Int.min / 2, count: filterCount)
    peaks = .allocate(capacity: filterCount)
    peaks.initialize(repeating: 0, count: filterCount)
    reflections = .allocate(capacity: order)
    reflections.initialize(repeating: 0, count: order)
    newest = .allocate(capacity: order)
    newest.initialize(repeating: 0, count: order)
    for place in 0..<filterCount { respond(filters + place * filterStride) }
  }

  deinit {
    past.deallocate()
    filters.deallocate()
    starts.deallocate()
    peaks.deallocate()
    reflections.deallocate()
    newest.deallocate()
  }

  /// The flat voice of a channel, at the positions of the history.
  @_noLocks
  func plane(_ channel: Int) -> UnsafeMutablePointer<Float> { flat.plane(channel) }

  /// Flattens a frame of `count` samples that the history has taken.
  @_noLocks
  mutating func flatten(_ history: borrowing SpliceHistory, count: Int) {
    let newEnergy = predictor.analyse(history, end: length &+ count, reflections: newest)
    // The oldest ones give way.
    let added = oldest
    oldest = oldest &+ parts == filterCount ? 0 : oldest &+ parts
    for index in 0..<(filterCount &- parts) {
      starts[index] = starts[index &+ parts]
      peaks[index] = peaks[index &+ parts]
    }
    predictor.filters(
      from: reflections, energy: energy, to: newest, energy: newEnergy, filters + added &* filterStride,
      stride: filterStride)
    energy = newEnergy
    for part in 0..<parts {
      let start = length &+ count &* part / parts
      let end = length &+ count &* (part &+ 1) / parts
      let taps = filters + (added &+ part) &* filterStride
      respond(taps)
      starts[filterCount &- parts &+ part] = start
      var peak: Float = 0
      for channel in 0..<channelCount {
        let source = history.plane(channel) + start
        flatten(taps, source, plane(channel) + start, count: end &- start)
        for index in 0..<(end &- start) { peak = max(peak, source[index].magnitude) }
      }
      peaks[filterCount &- parts &+ part] = peak
    }
    for index in 0..<order { reflections[index] = newest[index] }
  }

  /// How loud a sample may be that is read at a place of `starts`: 3.5 dB above what there is up to 5 ms around it.
  @_noLocks
  private func bound(_ place: Int) -> Float {
    var peak: Float = 0
    for near in max(0, place &- 2)...min(filterCount &- 1, place &+ 2) { peak = max(peak, peaks[near]) }
    return 1.5 * peak
  }

  /// The filter at a place of `starts`.
  @_noLocks @inline(__always)
  private func filter(_ place: Int) -> UnsafePointer<Float> {
    let index = oldest &+ place
    return UnsafePointer(filters + (index < filterCount ? index : index &- filterCount) &* filterStride)
  }

  /// Writes a filter's answer to a 1, which says what each of eight samples owes to those before it in one go.
  @_noLocks
  private func respond(_ taps: UnsafeMutablePointer<Float>) {
    let response = taps + (responsePlace &+ 8)
    response[0] = 1
    for index in 1..<8 {
      var value: Float = 0
      for back in 1...index { value -= taps[order &- back] * response[index &- back] }
      response[index] = value
    }
  }

  /// Gives `count` samples of flat voice, from `index` of a frame on, the envelope that the voice had where they are
  /// read.
  ///
  /// - Parameters:
  ///   - position: where the first is read, as 32.32 fixed point.
  ///   - step: from there to the next.
  @_noLocks
  mutating func colour(_ output: Frame, index first: Int, count: Int, position: Int64, step: Int64) {
    var start = filterCount &- 1
    while start > 0 && Int64(starts[start]) << 32 > position { start = start &- 1 }
    for channel in 0..<channelCount {
      let samples = output.channel(channel) + first
      let memory = past + channel &* pastStride + (order &+ first)
      var (place, position) = (start, position)
      var bound = bound(place)
      var index = 0
      while index < count {
        while place &+ 1 < filterCount && Int64(starts[place &+ 1]) << 32 <= position {
          place = place &+ 1
          bound = self.bound(place)
        }
        var run = min(8, count &- index)
        if place &+ 1 < filterCount {
          // The next filter takes over within them.
          let next = Int64(starts[place &+ 1]) << 32
          while run > 1, position &+ Int64(run &- 1) &* step >= next { run = run &- 1 }
        }
        colour(filter(place), memory + index, samples + index, count: run, bound: bound)
        index = index &+ run
        position = position &+ Int64(run) &* step
      }
    }
  }

  /// Keeps the end of a frame for the next one to go on from.
  @_noLocks
  mutating func finish(_ output: Frame, count: Int) {
    for channel in 0..<channelCount {
      let memory = past + channel &* pastStride + order
      let last = memory[count &- 1].magnitude
      // Decay beyond what a float holds would only cost time.
      if !(last < 1e30) || last < 1e-30 {
        for index in 0..<count { memory[index] = 0 }
      }
      if !(last < 1e30) {
        for index in 0..<count { output.channel(channel)[index] = 0 }
      }
      keepPast(channel, count: count)
    }
  }

  /// Notes a frame that came out without this filter, so that it can go on from there.
  @_noLocks
  mutating func follow(_ output: Frame, count: Int) {
    for channel in 0..<channelCount {
      let memory = past + channel &* pastStride + order
      for index in 0..<count { memory[index] = output.channel(channel)[index] }
      keepPast(channel, count: count)
    }
  }

  /// Lets a frame of `count` samples become the past.
  @_noLocks
  mutating func pass(count: Int) {
    flat.pass(count: count)
    for index in 0..<filterCount { starts[index] = starts[index] &- count }
  }

  @_noLocks
  private func keepPast(_ channel: Int, count: Int) {
    let memory = past + channel &* pastStride
    for index in 0..<order { memory[index] = memory[index &+ count] }
    for index in order..<pastStride { memory[index] = 0 }
  }
}
