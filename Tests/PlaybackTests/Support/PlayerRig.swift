import AudioGraph
import Effects
import GraphTestSupport

@testable import Playback

/// A graph of one player and a node that keeps all it plays. Prefetching is done between ticks.
final class PlayerRig {
  let player: SoundPlayer
  let graph: Graph
  let runner: GraphRunner
  private let kept: KeepingNode
  private(set) var events: [PlayerEvent] = []
  /// Ticks that began although the player said that it had too little.
  private(set) var unreadyTicks = 0
  /// Ticks with events that were not reported, or without events that were.
  private(set) var mistakenNews = 0

  init(_ sound: RepeatingReader.Sound, sampleRate: Int = 48_000) throws {
    player = try SoundPlayer(sound, sampleRate: sampleRate) {}
    graph = try Graph(sampleRate: sampleRate)
    runner = GraphRunner(sampleRate: sampleRate)
    kept = KeepingNode(channelCount: player.channelCount)
    try graph.connect(graph.add(player.node, named: "player"), to: graph.add(kept, named: "end"))
    try runner.install(graph)
  }

  /// - Parameter isStarved: whether blocks come only when the player cannot go on without them.
  func tick(_ count: Int = 1, isStarved: Bool = false) {
    for _ in 0..<count {
      if !isStarved { _ = player.prefetch() }
      // Offline the tick waits for the prefetching thread; asking has made room in the ring.
      if !player.isReady { _ = player.prefetch() }
      if !player.isReady { unreadyTicks += 1 }
      runner.tick(timeNanoseconds: 0)
      let before = events.count
      while let event = player.takeEvent() { events.append(event) }
      if runner.hasNews != (events.count > before) { mistakenNews += 1 }
    }
  }

  /// What has been played, by channel.
  var output: [[Float]] { kept.channels }

  /// Kinds and positions of the events so far.
  var history: [String] { events.map { "\($0.kind) \($0.position)" } }
}
