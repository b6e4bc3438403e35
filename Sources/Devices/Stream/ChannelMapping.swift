/// Maps interleaved samples to another number of channels.
enum ChannelMapping {
  /// Writes `count` samples per channel. Mono from several channels is their mean, and goes to the first two of
  /// several. Other channels are kept as far as both sides have them.
  static func map(
    _ input: UnsafePointer<Float>, channels from: Int, to output: UnsafeMutablePointer<Float>, channels to: Int,
    count: Int
  ) {
    if from == to { return output.update(from: input, count: count * to) }
    if to == 1 {
      let weight = 1 / Float(from)
      for index in 0..<count {
        var sum: Float = 0
        for channel in 0..<from { sum += input[index * from + channel] }
        output[index] = sum * weight
      }
      return
    }
    for index in 0..<count {
      for channel in 0..<to {
        let source = from == 1 ? (channel < 2 ? 0 : from) : channel
        output[index * to + channel] = source < from ? input[index * from + source] : 0
      }
    }
  }
}
