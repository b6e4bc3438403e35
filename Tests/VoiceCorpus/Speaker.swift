/// One synthetic voice's habits.
public struct Speaker: Sendable {
  /// The pitch around which it speaks.
  public var hertz: Double
  /// What its phrases' glides reach, in octaves to either side.
  public var glideOctaves = 0.35
  /// The highest pitch of its glides, in Hz.
  public var highestHertz = 500.0
  /// Longer vocal tracts have lower formants: 1 for a man, about 1.17 for a woman, 1.3 for a child.
  public var formantScale: Double
  /// Deviation of a cycle's length, as a share of it.
  public var jitter = 0.006
  /// Deviation of a cycle's strength, as a share of it.
  public var shimmer = 0.05
  /// Breath noise, as a share of the source's level.
  public var breath = 0.03

  /// A voice around `hertz`, its formants as people of that pitch have them.
  public init(hertz: Double) {
    self.hertz = hertz
    formantScale = hertz < 150 ? 1 : hertz < 260 ? 1.17 : 1.3
  }

  /// Eight voices that together reach from 70 to 500 Hz; the first creaks.
  public static let all: [Speaker] = {
    var speakers = [85, 105, 125, 155, 190, 235, 290, 370].map { Speaker(hertz: $0) }
    speakers[0].jitter = 0.015
    speakers[0].shimmer = 0.12
    speakers[5].breath = 0.08
    return speakers
  }()
}
