extension FormantFilter {
  /// Colours one to eight samples. What they owe to those before them is summed side by side: of what lies behind them
  /// the memory has zeros. What they owe to each other follows from the filter's answer to each.
  @_noLocks @inline(__always)
  func colour(
    _ taps: UnsafePointer<Float>, _ memory: UnsafeMutablePointer<Float>, _ samples: UnsafeMutablePointer<Float>,
    count: Int, bound: Float
  ) {
    let raw = UnsafeRawPointer(memory - order)
    // Two sums each, since one addition takes longer than the next one can wait.
    var (sums, others) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    for pair in 0..<(order / 2) {
      let from = 8 &* pair
      sums += taps[2 &* pair] * raw.loadUnaligned(fromByteOffset: from, as: SIMD8<Float>.self)
      others += taps[2 &* pair &+ 1] * raw.loadUnaligned(fromByteOffset: from &+ 4, as: SIMD8<Float>.self)
    }
    if order & 1 != 0 {
      sums += taps[order &- 1] * raw.loadUnaligned(fromByteOffset: 4 &* (order &- 1), as: SIMD8<Float>.self)
    }
    var source = SIMD8<Float>(repeating: 0)
    if count == 8 {
      source = UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<Float>.self)
    } else {
      for index in 0..<count { source[index] = samples[index] }
    }
    let rest = source - (sums + others)
    let response = UnsafeRawPointer(taps + (responsePlace &+ 8))
    sums = rest[0] * response.loadUnaligned(fromByteOffset: 0, as: SIMD8<Float>.self)
    others = rest[1] * response.loadUnaligned(fromByteOffset: -4, as: SIMD8<Float>.self)
    sums += rest[2] * response.loadUnaligned(fromByteOffset: -8, as: SIMD8<Float>.self)
    others += rest[3] * response.loadUnaligned(fromByteOffset: -12, as: SIMD8<Float>.self)
    sums += rest[4] * response.loadUnaligned(fromByteOffset: -16, as: SIMD8<Float>.self)
    others += rest[5] * response.loadUnaligned(fromByteOffset: -20, as: SIMD8<Float>.self)
    sums += rest[6] * response.loadUnaligned(fromByteOffset: -24, as: SIMD8<Float>.self)
    others += rest[7] * response.loadUnaligned(fromByteOffset: -28, as: SIMD8<Float>.self)
    let limit = SIMD8<Float>(repeating: bound)
    let values = pointwiseMax(pointwiseMin(sums + others, limit), 0 - limit)
    if count == 8 {
      UnsafeMutableRawPointer(memory).storeBytes(of: values, as: SIMD8<Float>.self)
      UnsafeMutableRawPointer(samples).storeBytes(of: values, as: SIMD8<Float>.self)
    } else {
      for index in 0..<count { (memory[index], samples[index]) = (values[index], values[index]) }
    }
  }

  /// Makes `count` samples flat, 32 at a time and then eight: none of them depends on another that is made here, and
  /// sums that grow side by side keep the processor busy.
  @_noLocks
  func flatten(
    _ taps: UnsafePointer<Float>, _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, count: Int
  ) {
    let raw = UnsafeRawPointer(source)
    let groups = count / 32
    for group in 0..<groups {
      let place = 128 &* group
      var first = raw.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
      var second = raw.loadUnaligned(fromByteOffset: place &+ 32, as: SIMD8<Float>.self)
      var third = raw.loadUnaligned(fromByteOffset: place &+ 64, as: SIMD8<Float>.self)
      var fourth = raw.loadUnaligned(fromByteOffset: place &+ 96, as: SIMD8<Float>.self)
      for index in 0..<order {
        let (tap, from) = (taps[index], place &+ 4 &* (index &- order))
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
          taps[index]
          * raw.loadUnaligned(fromByteOffset: place &+ 4 &* (index &- order), as: SIMD8<Float>.self)
      }
      (UnsafeMutableRawPointer(target) + place).storeBytes(of: sum, as: SIMD8<Float>.self)
    }
    for place in (32 &* groups &+ 8 &* eights)..<count {
      var sum = source[place]
      for index in 0..<order { sum += taps[index] * source[place &- order &+ index] }
      target[place] = sum
    }
  }
}
