import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(10))) struct ChannelMappingTests {
  @Test(
    "channels are averaged, doubled or kept",
    arguments: [
      (1, 2, [1, 1]), (2, 1, [1.5]), (4, 1, [2.5]), (2, 4, [1, 2, 0, 0]), (4, 2, [1, 2]), (1, 4, [1, 1, 0, 0]),
      (3, 3, [1, 2, 3]),
    ] as [(Int, Int, [Float])])
  func mapping(_ from: Int, _ to: Int, _ expected: [Float]) {
    let input = (0..<from).map { Float($0 + 1) }
    var output = [Float](repeating: .nan, count: 2 * to)
    ChannelMapping.map(input + input, channels: from, to: &output, channels: to, count: 2)
    #expect(output == expected + expected)
  }
}
