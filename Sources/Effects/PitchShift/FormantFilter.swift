import AudioGraph

/// Takes the envelope of a voice's spectrum off before its pitch is changed, and puts it on again afterwards.
///
///     voice ▶ 1 + a1/z + ... ▶ (flat) ▶ shift ▶ 1 / (1 + a1/z + ...), as it was where is read ▶ voice
///
/// The filter moves in quarters of a frame, by reflection coefficients, which keep it stable on the way. Without a shift
/// the two cancel each other out.
struct FormantFilter: ~Copyable {
  /// Filters per frame.
  private let parts = LinearPredictor.filterCount

  private let predictor: LinearPredictor
  private let order: Int
  private let channelCount: Int
  private let length: Int
  private let stride: Int
  /// The flat voice: planes as those of the history.
  private let flat: UnsafeMutablePointer<Float>
  /// What came out, `order` samples of each channel before the frame; behind what is known so far of the frame, zeros.
  private let past: UnsafeMutablePointer<Double>
  private let pastStride: Int
  /// The newest filters, and where each begins to count, as a position in the history.
  private let filters: UnsafeMutablePointer<Double>
  private let starts: UnsafeMutablePointer<Int>
  private let filterCount: Int
  private let reflections: UnsafeMutablePointer<Double>
  private let newest: UnsafeMutablePointer<Double>
  /// A filter in single precision.
  private let flatteners: UnsafeMutablePointer<Float>

  init(channelCount: Int, sampleRate: Int, history: borrowing SpliceHistory) {
    predictor = LinearPredictor(sampleRate: sampleRate)
    order = predictor.order
    self.channelCount = channelCount
    length = history.length
    let maximum = FrameSchedule(sampleRate: sampleRate).maximumSamplesPerChannel
    stride = length + maximum + 32
    flat = .allocate(capacity: stride * channelCount)
    flat.initialize(repeating: 0, count: stride * channelCount)
    pastStride = order + maximum + 8
    past = .allocate(capacity: pastStride * channelCount)
    past.initialize(repeating: 0, count: pastStride * channelCount)
    filterCount = parts * (length / max(1, maximum - 1) + 2)
    filters = .allocate(capacity: filterCount * order)
    filters.initialize(repeating: 0, count: filterCount * order)
    starts = .allocate(capacity: filterCount)
    starts.initialize(repeating: Int.min / 2, count: filterCount)
    reflections = .allocate(capacity: order)
    reflections.initialize(repeating: 0, count: order)
    newest = .allocate(capacity: order)
    newest.initialize(repeating: 0, count: order)
    flatteners = .allocate(capacity: order)
    flatteners.initialize(repeating: 0, count: order)
  }

  deinit {
    flat.deallocate()
    past.deallocate()
    filters.deallocate()
    starts.deallocate()
    reflections.deallocate()
    newest.deallocate()
    flatteners.deallocate()
  }

  /// The flat voice of a channel, at the positions of the history.
  @_noLocks
  func plane(_ channel: Int) -> UnsafeMutablePointer<Float> { flat + channel &* stride }

  /// Flattens a frame of `count` samples that the history has taken.
  @_noLocks
  mutating func flatten(_ history: borrowing SpliceHistory, count: Int) {
    predictor.analyse(history, end: length &+ count, reflections: newest)
    for index in 0..<((filterCount &- parts) &* order) { filters[index] = filters[index &+ parts &* order] }
    for index in 0..<(filterCount &- parts) { starts[index] = starts[index &+ parts] }
    predictor.filters(from: reflections, to: newest, filters + (filterCount &- parts) &* order)
    for part in 0..<parts {
      let place = filterCount &- parts &+ part
      starts[place] = length &+ count &* part / parts
      let end = length &+ count &* (part &+ 1) / parts
      for channel in 0..<channelCount {
        let start = starts[place]
        flatten(
          filters + place &* order, history.plane(channel) + start, plane(channel) + start, count: end &- start)
      }
    }
    for index in 0..<order { reflections[index] = newest[index] }
  }

  /// Gives `count` samples of flat voice, from `index` of a frame on, the envelope that the voice had where they are read.
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
      var index = 0
      while index < count {
        while place &+ 1 < filterCount && Int64(starts[place &+ 1]) << 32 <= position { place = place &+ 1 }
        let taps = filters + place &* order
        // Eight samples at once where one filter holds for all of them.
        if count &- index >= 8
          && (place &+ 1 == filterCount || Int64(starts[place &+ 1]) << 32 > position &+ 7 &* step)
        {
          colourEight(taps, memory + index, samples + index)
          index = index &+ 8
          position = position &+ 8 &* step
        } else {
          let value = Double(samples[index]) - predicted(taps, memory + (index &- order))
          memory[index] = value
          samples[index] = Float(value)
          index = index &+ 1
          position = position &+ step
        }
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
      for index in 0..<count { memory[index] = Double(output.channel(channel)[index]) }
      keepPast(channel, count: count)
    }
  }

  /// Lets a frame of `count` samples become the past.
  @_noLocks
  mutating func pass(count: Int) {
    for channel in 0..<channelCount { moveSamples(from: plane(channel) + count, to: plane(channel), count: length) }
    for index in 0..<filterCount { starts[index] = starts[index] &- count }
  }

  @_noLocks
  private func keepPast(_ channel: Int, count: Int) {
    let memory = past + channel &* pastStride
    for index in 0..<order { memory[index] = memory[index &+ count] }
    for index in order..<pastStride { memory[index] = 0 }
  }

  /// The sum of taps times the `order` samples from `first` on, the oldest first. In double precision: the taps nearly cancel
  /// each other out. The newest four are taken one by one and last: they have only just been stored.
  @_noLocks @inline(__always)
  private func predicted(_ taps: UnsafePointer<Double>, _ first: UnsafePointer<Double>) -> Double {
    let (a, b) = (UnsafeRawPointer(taps), UnsafeRawPointer(first))
    var sums = SIMD4<Double>(repeating: 0)
    let blocks = (order &- 4) / 4
    for block in 0..<blocks {
      sums +=
        a.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD4<Double>.self)
        * b.loadUnaligned(fromByteOffset: 32 &* block, as: SIMD4<Double>.self)
    }
    var sum = (sums[0] + sums[1]) + (sums[2] + sums[3])
    for index in (4 &* blocks)..<order { sum += taps[index] * first[index] }
    return sum
  }

  /// Colours eight samples. What they owe to those before them is summed side by side, in double precision as above: of what lies
  /// behind them the memory has zeros. What they owe to each other follows, the newest last.
  @_noLocks @inline(__always)
  private func colourEight(
    _ taps: UnsafePointer<Double>, _ memory: UnsafeMutablePointer<Double>, _ samples: UnsafeMutablePointer<Float>
  ) {
    let raw = UnsafeRawPointer(memory - order)
    // Two sums each, since one addition takes longer than the next one can wait.
    var (sums, others) = (SIMD8<Double>(repeating: 0), SIMD8<Double>(repeating: 0))
    for pair in 0..<(order / 2) {
      let from = 16 &* pair
      sums += taps[2 &* pair] * raw.loadUnaligned(fromByteOffset: from, as: SIMD8<Double>.self)
      others += taps[2 &* pair &+ 1] * raw.loadUnaligned(fromByteOffset: from &+ 8, as: SIMD8<Double>.self)
    }
    if order & 1 != 0 {
      sums += taps[order &- 1] * raw.loadUnaligned(fromByteOffset: 8 &* (order &- 1), as: SIMD8<Double>.self)
    }
    let source = UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<Float>.self)
    let rest = SIMD8<Double>(source) - (sums + others)
    // Tap d of the newest d samples.
    let newest = taps + order
    let (t1, t2, t3, t4) = (newest[-1], newest[-2], newest[-3], newest[-4])
    let (t5, t6, t7) = (newest[-5], newest[-6], newest[-7])
    let y0 = rest[0]
    let y1 = rest[1] - t1 * y0
    let y2 = rest[2] - t2 * y0 - t1 * y1
    let y3 = rest[3] - (t3 * y0 + t2 * y1) - t1 * y2
    let y4 = rest[4] - (t4 * y0 + t3 * y1) - t2 * y2 - t1 * y3
    let y5 = rest[5] - (t5 * y0 + t4 * y1) - (t3 * y2 + t2 * y3) - t1 * y4
    let y6 = rest[6] - (t6 * y0 + t5 * y1) - (t4 * y2 + t3 * y3) - t2 * y4 - t1 * y5
    let y7 = rest[7] - (t7 * y0 + t6 * y1) - (t5 * y2 + t4 * y3) - (t3 * y4 + t2 * y5) - t1 * y6
    let values = SIMD8(y0, y1, y2, y3, y4, y5, y6, y7)
    UnsafeMutableRawPointer(memory).storeBytes(of: values, as: SIMD8<Double>.self)
    UnsafeMutableRawPointer(samples).storeBytes(of: SIMD8<Float>(values), as: SIMD8<Float>.self)
  }

  /// Makes `count` samples flat, 32 at a time and then eight: none of them depends on another that is made here, and sums that
  /// grow side by side keep the processor busy. Single precision will do: nothing that is lost here comes back.
  @_noLocks
  private func flatten(
    _ taps: UnsafePointer<Double>, _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, count: Int
  ) {
    for index in 0..<order { flatteners[index] = Float(taps[index]) }
    let raw = UnsafeRawPointer(source)
    let groups = count / 32
    for group in 0..<groups {
      let place = 128 &* group
      var first = raw.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
      var second = raw.loadUnaligned(fromByteOffset: place &+ 32, as: SIMD8<Float>.self)
      var third = raw.loadUnaligned(fromByteOffset: place &+ 64, as: SIMD8<Float>.self)
      var fourth = raw.loadUnaligned(fromByteOffset: place &+ 96, as: SIMD8<Float>.self)
      for index in 0..<order {
        let (tap, from) = (flatteners[index], place &+ 4 &* (index &- order))
        first += tap * raw.loadUnaligned(fromByteOffset: from, as: SIMD8<Float>.self)
        second += tap * raw.loadUnaligned(fromByteOffset: from &+ 32, as: SIMD8<Float>.self)
        third += tap * raw.loadUnaligned(fromByteOffset: from &+ 64, as: SIMD8<Float>.self)
        fourth += tap * raw.loadUnaligned(fromByteOffset: from &+ 96, as: SIMD8<Float>.self)
      }
      let result = UnsafeMutableRawPointer(target + 32 &* group)
      result.storeBytes(of: first, as: SIMD8<Float>.self)
      result.storeBytes(of: second, toByteOffset: 32, as: SIMD8<Float>.self)
      result.storeBytes(of: third, toByteOffset: 64, as: SIMD8<Float>.self)
      result.storeBytes(of: fourth, toByteOffset: 96, as: SIMD8<Float>.self)
    }
    let eights = (count &- 32 &* groups) / 8
    for eight in 0..<eights {
      let place = 128 &* groups &+ 32 &* eight
      var sum = raw.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
      for index in 0..<order {
        sum +=
          flatteners[index]
          * raw.loadUnaligned(fromByteOffset: place &+ 4 &* (index &- order), as: SIMD8<Float>.self)
      }
      (UnsafeMutableRawPointer(target) + place).storeBytes(of: sum, as: SIMD8<Float>.self)
    }
    for place in (32 &* groups &+ 8 &* eights)..<count {
      var sum = source[place]
      for index in 0..<order { sum += flatteners[index] * source[place &- order &+ index] }
      target[place] = sum
    }
  }
}
