"""The earth, the sun and what goes round the earth."""

from __future__ import annotations

import datetime as dt
from typing import Any

import geopy.distance
import haversine
import nvector
import pvlib
import pymap3d
import pymap3d.vincenty
import utm
from geographiclib.geodesic import Geodesic
from pysolar import numeric, radiation, solar
from sgp4.earth_gravity import wgs72
from sgp4.io import twoline2rv
from sgp4.propagation import sgp4

from tests.libraries.table import at

LINES = (
    "1 25544U 98067A   19343.69339541  .00001764  00000-0  38792-4 0  9991",
    "2 25544  51.6439 211.2001 0007417  17.6667  85.6398 15.50103472202482",
)
STATION = twoline2rv(*LINES, wgs72)
NOON = dt.datetime(2024, 6, 1, 12, 0, 0, tzinfo=dt.UTC)


@at(40.6, -73.8, 1.6)
def geodesic_between(a: Any, b: Any, c: Any) -> Any:
    return Geodesic.WGS84.Inverse(a, b, c, 5.5)["s12"]


@at(40.6, -73.8, 53.0)
def geodesic_from(a: Any, b: Any, azimuth: Any) -> Any:
    found = Geodesic.WGS84.Direct(a, b, azimuth, 5850e3)
    return found["lat2"] + found["lon2"]


@at(40.6, -73.8, 1.6)
def half_of_a_geodesic(a: Any, b: Any, c: Any) -> Any:
    line = Geodesic.WGS84.InverseLine(a, b, c, 5.5)
    return line.Position(line.s13 * 0.5)["lat2"]


@at(10.0, 20.0)
def polygon(a: Any, b: Any) -> Any:
    corners = Geodesic.WGS84.Polygon()
    corners.AddPoint(a, b)
    corners.AddPoint(a + 5, b)
    corners.AddPoint(a, b + 7)
    _, perimeter, area = corners.Compute()
    return perimeter * 1e-3 + area * 1e-9


@at(42.0, -82.0, 200.0)
def to_the_centre(a: Any, b: Any, c: Any) -> Any:
    here = sum(pymap3d.geodetic2ecef(a, b, c)) * 1e-3
    return here + sum(pymap3d.geodetic2enu(a, b, c, 42.1, -82.1, 150.0)) * 1e-3


@at(660675.0, -4700949.0, 4245738.0)
def from_the_centre(a: Any, b: Any, c: Any) -> Any:
    return sum(pymap3d.ecef2geodetic(a, b, c))


@at(33.0, 70.0, 1000.0)
def from_azimuth_and_range(a: Any, b: Any, c: Any) -> Any:
    return sum(pymap3d.aer2geodetic(a, b, c, 42.0, -82.0, 200.0))


@at(42.0, -82.0)
def vincenty(a: Any, b: Any) -> Any:
    distance, azimuth = pymap3d.vincenty.vdist(a, b, 43.0, -81.0)
    return distance * 1e-3 + azimuth


@at(45.7, 4.8)
def on_a_sphere(a: Any, b: Any) -> Any:
    from_here = haversine.inverse_haversine((a, b), 32.0, 0.5)
    return haversine.haversine((a, b), (48.8, 2.3)) + from_here[0]


@at(51.2, 7.5)
def mercator(a: Any, b: Any) -> Any:
    east, north, _, _ = utm.from_latlon(a, b)
    return east * 1e-3 + north * 1e-3


@at(395201.3, 5673135.2)
def mercator_and_back(east: Any, north: Any) -> Any:
    return sum(utm.to_latlon(east, north, 32, "U"))


@at(51.2, 7.5, refused_unspecialised="_Common.__ne__' changes something when it is asked")
def with_normal_vectors(a: Any, b: Any) -> Any:
    frame = nvector.FrameE(name="WGS84")
    here = frame.GeoPoint(latitude=a, longitude=b, degrees=True)
    there = frame.GeoPoint(latitude=52.0, longitude=8.0, degrees=True)
    return here.distance_and_azimuth(there)[0] * 1e-3


@at(0.3, 0.6)
def great_circle_of_normal_vectors(a: Any, b: Any) -> Any:
    here, there = nvector.lat_lon2n_E(a, b), nvector.lat_lon2n_E(0.5, 0.1)
    return nvector.great_circle_distance(here, there)[0]


@at(41.5, -81.7)
def great_circle(a: Any, b: Any) -> Any:
    return geopy.distance.great_circle((a, b), (41.0, -80.0)).km


@at(41.5, -81.7)
def geodesic_by_geopy(a: Any, b: Any) -> Any:
    return geopy.distance.geodesic((a, b), (41.0, -80.0)).km


@at(36.0)
def orbit(minutes: Any) -> Any:
    place, speed = sgp4(STATION, minutes)
    return place[0] + place[1] * 2 + speed[2]


@at(0.36)
def orbit_of_lines(hundreds: Any) -> Any:
    place, speed = sgp4(twoline2rv(*LINES, wgs72), hundreds * 100)
    return place[0] + speed[2]


@at(42.2, -71.4)
def height_of_the_sun(a: Any, b: Any) -> Any:
    return solar.get_altitude(a, b, NOON) + solar.get_azimuth(a, b, NOON) * 0.1


@at(42.2)
def light_of_the_sun(height: Any) -> Any:
    return radiation.get_radiation_direct(NOON, height)


@at(42.2, -71.4, refused="There is no rule for 'array' on an object of class datetime")
def height_of_the_sun_in_short(a: Any, b: Any) -> Any:
    return solar.get_altitude_fast(a, b, NOON)


@at(1.5)
def quotient_and_rest(x: Any) -> Any:
    return numeric.degrees(x) * x


@at(40.0, 30.0)
def angle_of_incidence(zenith: Any, tilt: Any) -> Any:
    angle = pvlib.irradiance.aoi(tilt, 180.0, zenith, 200.0)
    return angle + pvlib.irradiance.aoi_projection(tilt, 180.0, zenith, 200.0)


@at(800.0, 45.0)
def power_of_a_solar_cell(light: Any, temperature: Any) -> Any:
    power = pvlib.pvsystem.pvwatts_dc(light, temperature, 5000.0, -0.003)
    return power + pvlib.temperature.sapm_cell(light, 20.0, 2.0, -3.47, -0.0594, 3)


@at(6.0, 0.5)
def current_of_a_solar_cell(light: Any, resistance: Any) -> Any:
    return pvlib.pvsystem.i_from_v(20.0, light, 1e-9, resistance, 300.0, 1.5)


@at(40.0, 1.5)
def air_mass(zenith: Any, water: Any) -> Any:
    mass = pvlib.atmosphere.get_relative_airmass(zenith)
    return mass + pvlib.atmosphere.kasten96_lt(1.5, water, 0.1)
