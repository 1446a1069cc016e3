"""Flow, heat, properties of substances and of moist air."""

from __future__ import annotations

from typing import Any

import chemicals
import fluids
import ht
import iapws
import numpy as np
import psychrolib
import seawater
import thermo
import thermofeel

from tests.libraries.table import at

psychrolib.SetUnitSystem(psychrolib.SI)


@at(1e5, 1e-3)
def friction(reynolds: Any, roughness: Any) -> Any:
    implicit = fluids.friction.Colebrook(reynolds, roughness)
    return fluids.friction_factor(Re=reynolds, eD=roughness) + implicit


@at(1.3e4)
def drag_of_a_sphere(reynolds: Any) -> Any:
    return fluids.drag.drag_sphere(reynolds)


@at(5000.0)
def standard_atmosphere(height: Any) -> Any:
    air = fluids.ATMOSPHERE_1976(height)
    return air.T + air.P * 1e-3 + air.rho + air.v_sonic


@at(0.6, 0.05)
def pressure_drop_of_two_phases(flow: Any, width: Any) -> Any:
    return fluids.two_phase.two_phase_dP(
        m=flow, x=0.1, rhol=915.0, rhog=2.67, mul=180e-6, mug=14e-6, sigma=0.0487, D=width, L=1.0
    )


@at(101325.0, 1.2)
def compression(pressure: Any, k: Any) -> Any:
    return fluids.compressible.isentropic_work_compression(T1=300.0, k=k, P1=pressure, P2=5e5, eta=0.7)


@at(0.07, 0.05)
def flow_through_an_orifice(outer: Any, inner: Any) -> Any:
    return fluids.flow_meter.differential_pressure_meter_solver(
        D=outer,
        D2=inner,
        P1=200000.0,
        P2=183000.0,
        rho=999.1,
        mu=0.0011,
        k=1.33,
        meter_type="ISO 5167 orifice",
        taps="D",
    )


@at(0.05, 2.0)
def fittings(width: Any, a: Any) -> Any:
    bend = fluids.fittings.bend_rounded(Di=width, angle=30 * a, fd=0.01, bend_diameters=5)
    narrowed = fluids.fittings.contraction_conical(Di1=2 * width, Di2=width, fd=0.01, l=0.1 * a)
    return fluids.fittings.entrance_sharp() + bend + narrowed


@at(300.0, 1e6)
def control_valve(temperature: Any, pressure: Any) -> Any:
    return fluids.control_valve.size_control_valve_g(
        T=temperature,
        MW=44.01,
        mu=1.4665e-4,
        gamma=1.30,
        Z=0.988,
        P1=pressure,
        P2=310e3,
        Q=38 / 36.0,
        D1=0.08,
        D2=0.1,
        d=0.05,
        FL=0.85,
        Fd=0.42,
        xT=0.60,
    )


@at(2.0, 0.5)
def volume_in_a_tank(width: Any, height: Any) -> Any:
    tank = fluids.geometry.TANK(
        D=width,
        L=3.0,
        horizontal=True,
        sideA="ellipsoidal",
        sideB="conical",
        sideA_a=0.3,
        sideB_a=0.2,
    )
    return tank.V_from_h(height)


@at(300.0, 647.14)
def volumes_of_liquids(temperature: Any, critical: Any) -> Any:
    one = chemicals.volume.Rackett(temperature, critical, 22048321.0, 0.23)
    return one + chemicals.volume.COSTALD(temperature, critical, 5.5e-5, 0.344)


@at(300.0, 0.3)
def vapour_pressures(temperature: Any, omega: Any) -> Any:
    of_states = chemicals.vapor_pressure.Lee_Kesler(temperature, 600.0, 4e6, omega)
    of_states += chemicals.vapor_pressure.Ambrose_Walton(temperature, 600.0, 4e6, omega)
    return of_states + chemicals.vapor_pressure.Antoine(temperature, A=8.95894, B=510.595, C=-15.95)


@at(0.5, 1.685)
def flash(z: Any, k: Any) -> Any:
    return chemicals.rachford_rice.Rachford_Rice_solution(zs=[z, 0.3, 1 - 0.3 - z], Ks=[k, 0.742, 0.532])[0]


@at(330.0, 8e5)
def water_of_1997(temperature: Any, pressure: Any) -> Any:
    return chemicals.iapws.iapws97_rho(temperature, pressure)


@at(300.0, 1000.0)
def water_of_1995(temperature: Any, density: Any) -> Any:
    return chemicals.iapws.iapws95_P(temperature, density)


@at(298.15, 0.04)
def viscosities(temperature: Any, x: Any) -> Any:
    pure = chemicals.viscosity.Letsou_Stiel(temperature, 46.07, 516.25, 6.383e6, 0.6371)
    pure += chemicals.viscosity.Yoon_Thodos(temperature, 556.35, 4.5596e6, 153.8)
    mixed = chemicals.viscosity.Herning_Zipperer([x, 1 - x], [5e-5, 2e-5], [16.0, 28.0])
    return pure + mixed + chemicals.viscosity.Wilke([x, 1 - x], [5e-5, 2e-5], [16.0, 28.0])


@at(1e5, 4.0)
def convection(reynolds: Any, prandtl: Any) -> Any:
    inside = ht.conv_internal.Nu_conv_internal(Re=reynolds, Pr=prandtl, eD=1e-3, x=2.5, Di=0.5)
    outside = ht.conv_external.Nu_cylinder_Churchill_Bernstein(reynolds, prandtl)
    return inside + outside + ht.conv_external.Nu_external_cylinder(reynolds, prandtl)


@at(5.2, 1900.0)
def heat_exchanger(flow: Any, capacity: Any) -> Any:
    found = ht.hx.effectiveness_NTU_method(
        mh=flow,
        mc=1.45,
        Cph=capacity,
        Cpc=4160.0,
        subtype="crossflow, mixed Cmax",
        Thi=130.0,
        Tci=15.0,
        Tco=85.0,
    )
    return found["UA"] + found["effectiveness"]


@at(300.0, 400.0)
def radiation(a: Any, b: Any) -> Any:
    spectral = ht.radiation.blackbody_spectral_radiance(a, 4e-6)
    return ht.radiation.q_rad(0.9, a, T2=b) + spectral + ht.core.LMTD(a, b, 30.0, 40.2)


@at(300.0, 1e6)
def equation_of_state_of_a_liquid(temperature: Any, pressure: Any) -> Any:
    state = thermo.PR(T=temperature, P=pressure, Tc=507.6, Pc=3025000.0, omega=0.2975)
    return state.V_l * 1e5 + state.H_dep_l


@at(400.0, 1e5)
def equation_of_state_of_a_gas(temperature: Any, pressure: Any) -> Any:
    state = thermo.SRK(T=temperature, P=pressure, Tc=507.6, Pc=3025000.0, omega=0.2975)
    return state.V_g * 1e2 + state.S_dep_g + state.fugacity_g


@at(343.15, 0.3)
def activity(temperature: Any, x: Any) -> Any:
    tau, alpha = [[0, 1.2], [0.8, 0]], [[0, 0.3], [0.3, 0]]
    return thermo.NRTL(T=temperature, xs=[x, 1 - x], tau_bs=tau, alpha_cs=alpha).GE()


@at(400.0, 1.0)
def steam(temperature: Any, pressure: Any) -> Any:
    state = iapws.IAPWS97(T=temperature, P=pressure)
    return state.h + state.v * 1e3 + state.s


@at(1.0, 0.4)
def wet_steam(pressure: Any, x: Any) -> Any:
    state = iapws.IAPWS97(P=pressure, x=x)
    return state.h + state.T


@at(500.0, 0.5, refused="gives a function that Python cannot compile")
def steam_of_1995(temperature: Any, pressure: Any) -> Any:
    return iapws.IAPWS95(T=temperature, P=pressure).h


@at(25.0, 0.6)
def moist_air(temperature: Any, humidity: Any) -> Any:
    dew = psychrolib.GetTDewPointFromRelHum(temperature, humidity)
    ratio = psychrolib.GetHumRatioFromRelHum(temperature, humidity, 101325.0)
    enthalpy = psychrolib.GetMoistAirEnthalpy(temperature, ratio)
    return dew + enthalpy * 1e-3 + psychrolib.GetMoistAirVolume(temperature, ratio, 101325.0)


@at(25.0, 12.0)
def moist_air_of_a_dew_point(temperature: Any, dew: Any) -> Any:
    found = psychrolib.CalcPsychrometricsFromTDewPoint(temperature, dew, 101325.0)
    return found[0] + found[2] + found[3] * 1e-3 + found[4] * 1e-3  # all but what is found by halving


@at(35.0, 12.0, 1000.0)
def sea_water(salt: Any, temperature: Any, pressure: Any) -> Any:
    density = seawater.dens(salt, temperature, pressure) + seawater.svel(salt, temperature, pressure)
    heat = seawater.cp(salt, temperature, pressure) + seawater.fp(salt, pressure)
    return density + heat + seawater.ptmp(salt, temperature, pressure, 0.0)


@at(298.0, 285.0, 3.0)
def felt_temperatures(temperature: Any, dew: Any, wind: Any) -> Any:
    t, td, v = np.array([temperature]), np.array([dew]), np.array([wind])
    humidity = thermofeel.calculate_relative_humidity_percent(t, td)
    felt = thermofeel.calculate_apparent_temperature(t, v, humidity) + thermofeel.calculate_humidex(t, td)
    felt += thermofeel.calculate_wind_chill(t - 20, v)
    felt += thermofeel.calculate_heat_index_simplified(t, humidity)
    return np.sum(felt + thermofeel.calculate_wbgt(t, t + 5, v, td))


@at(298.0, 285.0, 3.0)
def thermal_climate_index(temperature: Any, dew: Any, wind: Any) -> Any:
    t, td, v = np.array([temperature]), np.array([dew]), np.array([wind])
    return np.sum(thermofeel.calculate_utci(t, v, t + 3, td_k=td))
