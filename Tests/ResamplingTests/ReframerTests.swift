import AudioGraph
import Resampling
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReframerTests {
  @Test(
    "blocks hold exactly the samples that went in, in order",
    arguments: [1, 3, 441, 480, 1_024, 48_000, 144_001], [1, 2])
  func anySizes(samplesPerBlock: Int, channels: Int) {
    let seed: UInt64 = 7
    var random = SeededGenerator(seed: seed)
    let longest = 1_000
    var reframer = Reframer(
      samplesPerBlock: samplesPerBlock, channelCount: channels, maximumInputCount: longest)
    var (pushed, taken, wrong) = (0, 0, 0)
    for _ in 0..<1_000 {
      let count = Int.random(in: 0...longest, using: &random)
      // Every sample carries its own index; below 2^24 a Float holds it exactly.
      let input = (pushed..<(pushed + count * channels)).map { Float($0) }
      reframer.push(input, inputCount: count)
      pushed += count * channels
      while let block = reframer.next() {
        for index in 0..<(samplesPerBlock * channels) where block[index] != Float(taken + index) {
          wrong += 1
        }
        taken += samplesPerBlock * channels
      }
      #expect(reframer.held == (pushed - taken) / channels && reframer.held < samplesPerBlock, "seed \(seed)")
    }
    #expect(wrong == 0, "seed \(seed)")
    #expect(taken == pushed / (samplesPerBlock * channels) * samplesPerBlock * channels)
  }

  @Test("block n of 1024 samples comes with frame ceil(1024 n / 441)", .shows("F11"))
  func ticksBetweenBlocks() {
    var reframer = Reframer(samplesPerBlock: 1_024, channelCount: 1, maximumInputCount: 441)
    let frame = [Float](repeating: 0, count: 441)
    var arrivals: [Int] = []
    for index in 1...30 {
      reframer.push(frame, inputCount: 441)
      while reframer.next() != nil { arrivals.append(index) }
    }
    #expect(arrivals == (1...12).map { (1_024 * $0 + 440) / 441 }.filter { $0 <= 30 })
  }

  @Test("a reset reframer holds nothing")
  func reset() {
    var reframer = Reframer(samplesPerBlock: 4, channelCount: 1, maximumInputCount: 4)
    reframer.push([1, 2, 3], inputCount: 3)
    reframer.reset()
    reframer.push([4, 5, 6, 7], inputCount: 4)
    let block = reframer.next()
    #expect(block.map { Array(UnsafeBufferPointer(start: $0, count: 4)) } == [4, 5, 6, 7])
  }
}
