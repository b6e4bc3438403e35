import Effects
import Engine
import JSON
public import NetworkSimulation
import Playback
public import Signalling

/// Events of a simulated call besides speech: users are muted, join, leave or play sounds, and the network changes.
///
///     {"schema": 1, "events": [
///       {"time_s": 2, "name": "mute", "user": 1},
///       {"time_s": 4.5, "name": "network", "from": 1, "to": 2, "loss_percent": 20}
///     ]}
///
/// Events at the same time happen in their order here.
public struct CallScript: Hashable, Sendable {
  /// Channel of the users, unless an event names another one.
  public static let channel = ChannelName("call")!
  /// The events, in any order.
  public var events: [ScriptEvent]

  /// Creates a script from its events.
  public init(_ events: [ScriptEvent] = []) { self.events = events }

  /// Creates a script from its JSON.
  ///
  /// - Parameters:
  ///   - text: JSON of the script.
  ///   - loadTrace: Reads the file of delays that an event names.
  /// - Throws: The first error, with its event and a correction; any error that `loadTrace` throws.
  public init(parsing text: String, loadTrace: @escaping (String) throws -> DelayTrace) throws {
    let value: JSONValue
    do throws(JSONError) { value = try JSONReader.read(text) } catch { throw ScriptError(error.message) }
    let document = ScriptFields(value, event: nil)
    try document.check(["schema", "events"])
    let schema = try document.required("schema", document.integer("schema", in: 0...Int(Int32.max)))
    guard schema == 1 else {
      throw ScriptError("the script is of schema \(schema), and this program knows schema 1 alone")
    }
    guard case .array(let values) = document["events"] else {
      throw ScriptError("the key 'events' must be there and hold a list of events")
    }
    events = []
    for (index, value) in values.enumerated() {
      events.append(try ScriptEventParser(fields: ScriptFields(value, event: index), loadTrace: loadTrace).event())
    }
  }

  /// Users that play a sound that no other user hears.
  public var listenersWithoutSpeakers: Set<UInt32> { Set(events.compactMap(\.action.lonelyListener)) }

  /// Whether a listener hears a user or a sound to one side, which takes two channels.
  var needsStereo: Bool {
    events.contains { event in
      switch event.action {
      case .position(let pan, _, _, _): pan != 0
      case .playEffect(_, let effect, _): effect.panning.value != 0
      default: false
      }
    }
  }

  /// Returns the users in the call from its start.
  func initialMembers(of users: [UInt32]) -> Set<UInt32> {
    var members = Set(users)
    for index in order.reversed() {
      switch events[index].action {
      case .join(let user, _, _, _), .prepare(let user, _, _, _): members.remove(user)
      case .leave(let user, _): members.insert(user)
      default: break
      }
    }
    return members
  }

  /// Indices of events in the order in which they happen.
  var order: [Int] {
    events.indices.sorted { (events[$0].nanoseconds, $0) < (events[$1].nanoseconds, $1) }
  }
}
