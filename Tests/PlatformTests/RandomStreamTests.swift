import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(10))) struct RandomStreamTests {
  @Test("a known state gives the reference numbers of xoshiro256**")
  func referenceOutput() {
    // From the tests of the Rust crate rand_xoshiro, whose oracle is the authors' C code.
    let expected: [UInt64] = [
      11520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360, 607_988_272_756_665_600,
      16_172_922_978_634_559_625, 8_476_171_486_693_032_832, 10_595_114_339_597_558_777, 2_904_607_092_377_533_576,
    ]
    var stream = RandomStream(state: 1, 2, 3, 4)
    let drawn = expected.map { _ in stream.next() }
    #expect(drawn == expected)
  }

  @Test("a seed fills the state with SplitMix64")
  func referenceSeeding() {
    // SplitMix64 from 1234567, as published with its C code.
    var expected = RandomStream(
      state: 6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431)
    var stream = RandomStream(seed: 1_234_567)
    for _ in 0..<10 {
      let (drawn, reference) = (stream.next(), expected.next())
      #expect(drawn == reference)
    }
  }

  @Test("seeds and paths name different streams, each of which repeats")
  func paths() {
    func first(_ stream: RandomStream) -> UInt64 {
      var stream = stream
      return stream.next()
    }
    let streams = [
      RandomStream(seed: 1), RandomStream(seed: 2), RandomStream(seed: 1, path: 0), RandomStream(seed: 1, path: 1),
      RandomStream(seed: 1, path: 0, 1), RandomStream(seed: 1, path: 1, 0), RandomStream(seed: 1, path: 0, 0),
    ]
    #expect(Set(streams.map(first)).count == streams.count)
    #expect(first(RandomStream(seed: 1, path: 2, 3)) == first(RandomStream(seed: 1, path: 2, 3)))
  }

  /// Five standard errors of the mean of 200,000 numbers of this variance.
  private func fiveErrors(_ variance: Double) -> Double { 5 * (variance / 200_000).squareRoot() }

  /// Mean and variance of `count` numbers.
  private func moments(_ count: Int, _ next: () -> Double) -> (mean: Double, variance: Double) {
    var sum = 0.0
    var squares = 0.0
    for _ in 0..<count {
      let value = next()
      sum += value
      squares += value * value
    }
    let mean = sum / Double(count)
    return (mean, squares / Double(count) - mean * mean)
  }

  @Test("unit numbers stay in range and have the interval's mean and variance")
  func unit() {
    var stream = RandomStream(seed: 3)
    var isInside = true
    let (mean, variance) = moments(200_000) {
      let value = stream.unit()
      isInside = isInside && value >= 0 && value < 1
      return value
    }
    #expect(isInside)
    // Five standard errors: sqrt(1/12/n) and sqrt(1/180/n).
    #expect(abs(mean - 0.5) < fiveErrors(1.0 / 12))
    #expect(abs(variance - 1.0 / 12) < fiveErrors(1.0 / 180))
  }

  @Test("normal numbers have mean 0 and variance 1")
  func normal() {
    var stream = RandomStream(seed: 4)
    let (mean, variance) = moments(200_000) { stream.normal() }
    #expect(abs(mean) < fiveErrors(1))
    #expect(abs(variance - 1) < fiveErrors(2))
  }

  @Test("exponential numbers have the set mean, and its square as variance")
  func exponential() {
    var stream = RandomStream(seed: 5)
    let (mean, variance) = moments(200_000) { stream.exponential(mean: 3) }
    #expect(abs(mean - 3) < 3 * fiveErrors(1))
    // The fourth central moment is 9 times the variance squared.
    #expect(abs(variance - 9) < 9 * fiveErrors(8))
  }

  @Test("gamma numbers have the mean and variance of their shape and scale", arguments: [0.3, 1, 2.5, 40])
  func gamma(shape: Double) {
    var stream = RandomStream(seed: 6)
    var isPositive = true
    let (mean, variance) = moments(200_000) {
      let value = stream.gamma(shape: shape, scale: 2)
      isPositive = isPositive && value >= 0
      return value
    }
    #expect(isPositive)
    #expect(abs(mean - 2 * shape) < fiveErrors(4 * shape))
    // Kurtosis 3 + 6 / shape: the variance's own standard error.
    #expect(abs(variance - 4 * shape) < 4 * shape * fiveErrors(2 + 6 / shape))
  }

  @Test("a chance of 0 never comes, and one of 1 always")
  func certainties() {
    var stream = RandomStream(seed: 7)
    for _ in 0..<1000 {
      let (never, always) = (stream.chance(0), stream.chance(1))
      #expect(!never && always)
    }
  }
}
