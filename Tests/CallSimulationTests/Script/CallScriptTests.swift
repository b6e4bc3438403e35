import CallSimulation
import Engine
import Foundation
import NetworkSimulation
import Playback
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct CallScriptTests {
  private func script(_ events: String) throws -> CallScript {
    try CallScript(parsing: "{\"schema\": 1, \"events\": [\(events)]}") { _ in try DelayTrace([.milliseconds(3), nil]) }
  }

  private func sentence(_ text: String) -> String? {
    #expect(throws: ScriptError.self) {
      try CallScript(parsing: text) { _ in throw CancellationError() }
    }?.description
  }

  @Test("every key of an event is read, and missing keys have their defaults")
  func values() throws {
    let events = try script(
      """
      {"time_s": 2.5, "name": "mute", "user": 1}, {"time_s": 0, "name": "unmute", "user": 1, "listener": 2},
      {"time_s": 1, "name": "position", "user": 1, "listener": 2, "pan": -0.25},
      {"time_s": 1, "name": "playEffect", "user": 3, "id": 9, "file": "a \\u00e9\\ud83d\\ude00.wav", "loops": -1,
       "publish": false, "start_ms": 20},
      {"time_s": 1e0, "name": "startMusic", "user": 3, "file": "m", "publish": false, "cycles": 2}
      """
    ).events
    #expect(events.map(\.seconds) == [2.5, 0, 1, 1, 1])
    #expect(events[0].action == .mute(true, user: 1))
    #expect(events[1].action == .mute(false, user: 1, listener: 2))
    #expect(events[2].action == .position(pan: -0.25, gain: 100, user: 1, listener: 2))
    let effect = SoundEffect(path: "a é😀.wav", repetition: .forever, isPublished: false, start: .milliseconds(20))
    #expect(events[3].action == .playEffect(9, effect, user: 3))
    #expect(events[4].action == .startMusic(ScriptMusic(path: "m", isLoopback: true, repetition: .times(2)), user: 3))
  }

  @Test("every condition of a network can change, and 0 takes it away")
  func network() throws {
    let events = try script(
      """
      {"time_s": 1, "name": "network", "loss_percent": 5, "delay_ms": 50, "jitter_ms": 20, "spikes_per_s": 0.5,
       "spikes_min_ms": 300, "reorder_percent": 2, "duplicate_percent": 1, "bandwidth_kbit": 64, "queue_ms": 500},
      {"time_s": 1, "name": "network", "from": 1, "to": 2, "loss_percent": 10, "loss_burst": 4, "jitter_ms": 20, "jitter_gamma_ms": 8},
      {"time_s": 1, "name": "network", "delay_trace": "t"},
      {"time_s": 1, "name": "network", "loss_percent": 0, "jitter_ms": 0, "spikes_per_s": 0, "reorder_percent": 0,
       "duplicate_percent": 0, "bandwidth_kbit": 0}
      """
    ).events
    func conditions(_ index: Int, from before: NetworkConditions = .perfect) throws -> NetworkConditions {
      guard case .network(let changes, _, _) = events[index].action else { return .perfect }
      return try before.applying(changes)
    }
    let first = try conditions(0)
    #expect(
      first
        == (try NetworkConditions(
          loss: .bernoulli(probability: 0.05), delay: .milliseconds(50), jitter: .uniform(plusMinus: .milliseconds(20)),
          spikes: DelaySpikes(perSecond: 0.5, smallest: .milliseconds(300), largest: .milliseconds(300)),
          reordering: Reordering(probability: 0.02), duplication: 0.01,
          bottleneck: Bottleneck(bitsPerSecond: 64_000, queueByteLimit: 4_000))))
    #expect(events[1].action.user == 1 && events[1].action.listener == 2)
    let second = try conditions(1, from: first)
    #expect(second.loss == .gilbertElliott(GilbertElliott(meanLossRate: 0.1, meanBurstLength: 4)))
    #expect(second.jitter == .gamma(mean: .milliseconds(20), standardDeviation: .milliseconds(8)))
    #expect(second.delay == first.delay && second.bottleneck == first.bottleneck)
    #expect(try conditions(2).jitter == .trace(try DelayTrace([.milliseconds(3), nil])))
    #expect(try conditions(3, from: first) == (try NetworkConditions(delay: .milliseconds(50))))
  }

  @Test(
    "an invalid script is refused in a sentence that names the fault", .shows("simulate: wrong scripts"),
    arguments: [
      ("[]", "an object with the keys schema, events is needed, not a list"),
      ("{\"schema\": 2, \"events\": []}", "this program knows schema 1 alone"),
      ("{\"events\": []}", "the key 'schema' is missing"),
      ("{\"schema\": 1}", "'events' must be there"),
      ("{\"schema\": 1, \"events\": [], \"seed\": 1}", "the script has no key 'seed'; use schema, events"),
      ("{\"schema\": 1,\n \"events\": [}", "this is not JSON: a value is missing in line 2"),
      ("{\"schema\": 1, \"schema\": 1, \"events\": []}", "the key 'schema' stands there twice"),
      ("{\"schema\": 01, \"events\": []}", "'01' is not a number"),
      (String(repeating: "[", count: 100_000), "too deep"), ("{\"a\": \"", "a text has no end"),
      ("{\"schema\": 1, \"events\": []} x", "follows the end"),
    ])
  func documents(text: String, words: String) {
    #expect(sentence(text)?.contains(words) == true, "\(sentence(text) ?? "")")
  }

  @Test(
    "an invalid event is refused with its number and the allowed values",
    .shows("simulate: wrong scripts"),
    arguments: [
      ("3", "event 1: an object with the keys"),
      ("{\"time_s\": 1}", "event 1: the key 'name' is missing; use mute, unmute, "),
      ("{\"name\": \"mut\", \"time_s\": 1}", "event 1: 'mut' is not an action; use mute, "),
      ("{\"name\": \"mute\", \"user\": 1}", "event 1: the key 'time_s' is missing"),
      (
        "{\"name\": \"mute\", \"time_s\": \"1\", \"user\": 1}",
        "'time_s' is a number from 0 to 2592000, not the text \"1\""
      ),
      ("{\"name\": \"mute\", \"time_s\": -1, \"user\": 1}", "'time_s' is a number from 0 to 2592000, not -1"),
      ("{\"name\": \"mute\", \"time_s\": 1}", "event 1: the key 'user' is missing"),
      ("{\"name\": \"mute\", \"time_s\": 1, \"user\": 1.5}", "'user' is a whole number from 0 to 4294967295, not 1.5"),
      (
        "{\"name\": \"mute\", \"time_s\": 1, \"user\": 1, \"volume\": 2}",
        "'mute' has no key 'volume'; use time_s, name, user, listener"
      ),
      ("{\"name\": \"recordingVolume\", \"time_s\": 1, \"user\": 1, \"volume\": 401}", "from 0 to 400, not 401"),
      (
        "{\"name\": \"playEffect\", \"time_s\": 1, \"user\": 1, \"id\": 1, \"file\": \"a\", \"publish\": 1}",
        "'publish' is true or false, not 1"
      ),
      (
        "{\"name\": \"startMusic\", \"time_s\": 1, \"user\": 1, \"file\": \"a\", \"cycles\": 0}",
        "'cycles' is 1 or more, or -1"
      ),
      ("{\"name\": \"network\", \"time_s\": 1}", "event 1: 'network' changes nothing; use loss_percent, "),
      ("{\"name\": \"network\", \"time_s\": 1, \"loss_burst\": 2}", "'loss_burst' needs 'loss_percent' beside it"),
      (
        "{\"name\": \"network\", \"time_s\": 1, \"loss_percent\": 60, \"loss_burst\": 1}",
        "event 1: so much 'loss_percent' comes in runs of 1.5 packets and more; use 'loss_burst' 1.5, or less loss"
      ),
      ("{\"name\": \"network\", \"time_s\": 1, \"jitter_ms\": 2, \"delay_trace\": \"t\"}", "contradict each other"),
    ])
  func events(event: String, words: String) {
    let text = "{\"schema\": 1, \"events\": [{\"name\": \"leave\", \"time_s\": 1, \"user\": 1}, \(event)]}"
    #expect(sentence(text)?.contains(words) == true, "\(sentence(text) ?? "")")
  }
}
