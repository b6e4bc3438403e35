import CallSimulation
import CommandLineKit
import Platform
import RelayClient
import RelayLoad

/// A load on a simulated network, in virtual time.
final class SimulatedLoadLoop: LoadLoop {
  private let load: SimulatedLoad

  init(_ plan: LoadPlan, _ network: NetworkOptions) {
    load = SimulatedLoad(plan, conditions: network.conditions, seed: network.seed)
  }

  var clock: any EngineClock { load.clock }
  var users: LoadUsers { load.users }
  var droppedCount: Int { 0 }
  var failure: CommandFailure? { nil }

  func turn(until end: Int) { load.turn(until: end) }

  func stop() { users.stop() }
}
